package dev.ratelimit.test;

import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitClientAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitMethodAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitWebAutoConfiguration;

import org.springframework.context.annotation.DeferredImportSelector;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Adds the limiter to a test slice, which leaves out auto-configurations that it does not
 * know. It is ordered last, so the limiter finds the beans that it looks for, above all
 * those of Spring Security. It changes nothing if the limiter is already there.
 */
@Order(Ordered.LOWEST_PRECEDENCE)
class SlicedRateLimits implements DeferredImportSelector {

	@Override
	public String[] selectImports(AnnotationMetadata importingClass) {
		return new String[] { SlicedQueueConfiguration.class.getName(), RateLimitAutoConfiguration.class.getName(),
				RateLimitWebAutoConfiguration.class.getName(), RateLimitMethodAutoConfiguration.class.getName(),
				RateLimitClientAutoConfiguration.class.getName() };
	}

}
