package dev.ratelimit.queue;

import java.util.List;

import dev.ratelimit.rule.OpenChoice;
import dev.ratelimit.spi.RateLimitModule;

final class QueueModule implements RateLimitModule {

	@Override
	public String artifact() {
		return "ratelimit-starter";
	}

	@Override
	public List<? extends OpenChoice> choices() {
		return List.of(Enqueue.EnqueueKind.ENQUEUE);
	}

}
