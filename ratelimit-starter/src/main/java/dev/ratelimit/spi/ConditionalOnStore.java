package dev.ratelimit.spi;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Locale;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if {@code ratelimit.store} names a store, in any spelling that Boot binds.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Conditional(ConditionalOnStore.OnStore.class)
public @interface ConditionalOnStore {

	/** The store of applications that name none. */
	String REDIS = "redis";

	/**
	 * The store.
	 * @return the store that the setting must name, in lower case
	 */
	String value();

	/** Compares the setting with the annotation. */
	final class OnStore implements Condition {

		@Override
		public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
			String named = metadata.getAnnotations().get(ConditionalOnStore.class).getString("value");
			return named.equals(
					letters(Binder.get(context.getEnvironment()).bind("ratelimit.store", String.class).orElse(REDIS)));
		}

		/** What Boot compares of the name of a constant. */
		private static String letters(String text) {
			return text.replaceAll("[^A-Za-z]", "").toLowerCase(Locale.ROOT);
		}

	}

}
