package dev.ratelimit.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import dev.ratelimit.autoconfigure.RateLimitProperties.Store;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if {@code ratelimit.store} names a store. Reads the setting as it is bound: a
 * condition on the text would not recognise a value with a trailing blank, and no store
 * would be created.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Conditional(ConditionalOnStore.OnStore.class)
public @interface ConditionalOnStore {

	/**
	 * The store.
	 * @return the store that the setting must name
	 */
	Store value();

	/** Compares the setting with the annotation. */
	final class OnStore implements Condition {

		@Override
		public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
			Store named = metadata.getAnnotations().get(ConditionalOnStore.class).getEnum("value", Store.class);
			return named == Binder.get(context.getEnvironment())
				.bind("ratelimit.store", Store.class)
				.orElse(Store.REDIS);
		}

	}

}
