package dev.ratelimit.test;

import dev.ratelimit.queue.QueuedRequestHandler;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Stands for the handler that a slice leaves out: requests are kept and answered there as
 * ever. Only a slice gets it; a whole application without a handler does not start.
 */
@Configuration(proxyBeanMethods = false)
class SlicedQueueConfiguration {

	@Bean
	@ConditionalOnMissingBean(value = QueuedRequestHandler.class, name = "rateLimitQueueLifecycle")
	QueuedRequestHandler slicedQueuedRequestHandler() {
		return (request) -> {
			throw new IllegalStateException("Nobody handles what rule '" + request.rule()
					+ "' keeps in this slice. Import your QueuedRequestHandler where a test needs it");
		};
	}

}
