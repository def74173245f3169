package dev.ratelimit.queue.autoconfigure;

import dev.ratelimit.queue.QueueStatusBoard;
import dev.ratelimit.queue.actuate.MicrometerQueueListener;
import dev.ratelimit.queue.worker.QueueRules;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The meters of queues.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(value = MeterRegistry.class, name = QueueConfiguration.LIFECYCLE)
class QueueMetersConfiguration {

	@Bean
	MicrometerQueueListener rateLimitStarterQueueMetrics(QueueRules rules, QueueStatusBoard board,
			MeterRegistry registry) {
		MicrometerQueueListener listener = new MicrometerQueueListener(board, registry);
		rules.onChange(listener::follow);
		return listener;
	}

}
