package dev.ratelimit.test;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitClientAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitMethodAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitWebAutoConfiguration;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanClassLoaderAware;
import org.springframework.context.annotation.DeferredImportSelector;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

/**
 * Adds the limiter to a test slice, which leaves out auto-configurations that it does not
 * know. It is ordered last, so the limiter finds the beans that it looks for, above all
 * those of Spring Security. It changes nothing if the limiter is already there.
 */
@Order(Ordered.LOWEST_PRECEDENCE)
class SlicedRateLimits implements DeferredImportSelector, BeanClassLoaderAware {

	private static final String QUEUE = "dev.ratelimit.queue.autoconfigure.RateLimitQueueAutoConfiguration";

	private @Nullable ClassLoader loader;

	@Override
	public void setBeanClassLoader(ClassLoader loader) {
		this.loader = loader;
	}

	@Override
	public String[] selectImports(AnnotationMetadata importingClass) {
		List<String> imports = new ArrayList<>(List.of(SlicedQueueConfiguration.class.getName(),
				RateLimitAutoConfiguration.class.getName(), RateLimitWebAutoConfiguration.class.getName(),
				RateLimitMethodAutoConfiguration.class.getName(), RateLimitClientAutoConfiguration.class.getName()));
		if (ClassUtils.isPresent(QUEUE, this.loader)) {
			imports.add(QUEUE);
		}
		return imports.toArray(String[]::new);
	}

}
