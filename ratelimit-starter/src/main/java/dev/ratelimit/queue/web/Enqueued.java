package dev.ratelimit.queue.web;

import dev.ratelimit.web.EnqueueOutcome;

/**
 * The result of trying to enqueue a request.
 *
 * @param outcome the outcome
 * @param rule the rule that was to enqueue it
 * @param id the id it has, or would have had
 */
public record Enqueued(EnqueueOutcome outcome, String rule, String id) {
}
