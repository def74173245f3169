package dev.ratelimit.memcached.autoconfigure;

import dev.ratelimit.autoconfigure.RateLimitProperties.Store;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if requests are counted in Memcached. Reads the setting as it is bound, in
 * every spelling. A copy of the starter's own condition, which no other package sees.
 */
final class OnMemcached implements Condition {

	@Override
	public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
		return Binder.get(context.getEnvironment())
			.bind("ratelimit.store", Store.class)
			.orElse(Store.REDIS) == Store.MEMCACHED;
	}

}
