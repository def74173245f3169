package dev.ratelimit.queue;

/**
 * The subject of queued items, which are handled one after the other in the order of
 * arrival.
 *
 * @param rule the rule whose limit they exceeded
 * @param text the text of the subject in the store
 */
public record QueuedSubject(String rule, String text) {
}
