package dev.ratelimit.queue.autoconfigure;

import java.util.List;
import java.util.Map;

import dev.ratelimit.queue.Enqueue;
import dev.ratelimit.rule.OpenChoice;
import dev.ratelimit.spi.RateLimitModule;

/**
 * Adds {@code on-limit: enqueue}, its keys, and the settings of the queue.
 */
final class QueueModule implements RateLimitModule {

	@Override
	public String artifact() {
		return "ratelimit-starter-queue";
	}

	@Override
	public Map<String, Class<? extends Record>> settings() {
		return Map.of("queue", RateLimitQueueProperties.class);
	}

	@Override
	public List<? extends OpenChoice> choices() {
		return List.of(Enqueue.EnqueueKind.ENQUEUE);
	}

}
