package dev.ratelimit.queue;

/**
 * Whose items are handled one after the other, in the order they came.
 *
 * @param rule the rule that had no room for them
 * @param subject whom it counts: the text of a subject of the store
 */
public record QueuedSubject(String rule, String subject) {
}
