package dev.ratelimit.test;

import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitQueueAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitWebAutoConfiguration;

import org.springframework.context.annotation.DeferredImportSelector;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Brings the limiter into a test of a slice, which leaves auto-configurations out that it
 * does not know. It comes last, so that the limiter finds what it looks for, Spring
 * Security above all, and so that it changes nothing where the limiter is there already.
 */
@Order(Ordered.LOWEST_PRECEDENCE)
class SlicedRateLimits implements DeferredImportSelector {

	@Override
	public String[] selectImports(AnnotationMetadata importingClass) {
		return new String[] { SlicedQueueConfiguration.class.getName(), RateLimitAutoConfiguration.class.getName(),
				RateLimitQueueAutoConfiguration.class.getName(), RateLimitWebAutoConfiguration.class.getName() };
	}

}
