package dev.ratelimit.test;

import dev.ratelimit.queue.QueuedRequestHandler;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Replaces the handler that a test slice leaves out, so that requests are enqueued and
 * answered in the slice as usual. Only a slice gets it; a whole application without a
 * handler fails to start.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(QueuedRequestHandler.class)
class SlicedQueueConfiguration {

	@Bean
	@ConditionalOnMissingBean(value = QueuedRequestHandler.class, name = "rateLimitStarterQueueRules")
	QueuedRequestHandler slicedQueuedRequestHandler() {
		return (request) -> {
			throw new IllegalStateException("No handler handles what rule '" + request.rule()
					+ "' keeps in this slice. Import your QueuedRequestHandler where a test needs it");
		};
	}

}
