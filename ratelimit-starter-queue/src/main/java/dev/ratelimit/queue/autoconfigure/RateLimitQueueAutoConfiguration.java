package dev.ratelimit.queue.autoconfigure;

import dev.ratelimit.queue.worker.QueueRules;
import dev.ratelimit.spi.ModuleContext;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for requests that rules enqueue.
 */
@AutoConfiguration(afterName = { "dev.ratelimit.autoconfigure.RateLimitAutoConfiguration",
		"org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
		"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@EnableConfigurationProperties(RateLimitQueueProperties.class)
@ConditionalOnBean(ModuleContext.class)
@Import({ QueueConfiguration.class, QueueWebConfiguration.class, QueueMetersConfiguration.class })
public final class RateLimitQueueAutoConfiguration {

	@Bean
	@Lazy
	QueueRules rateLimitStarterQueueRules(ListableBeanFactory beanFactory) {
		return new QueueRules(new QueueCheck(beanFactory));
	}

}
