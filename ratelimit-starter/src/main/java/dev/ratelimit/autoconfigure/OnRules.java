package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import dev.ratelimit.method.annotated.AnnotatedBeans;
import dev.ratelimit.rule.RuleSource;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if there is a rule, or a source from which a rule may come later. Otherwise
 * nothing needs to be limited, and the application runs as without the limiter.
 */
final class OnRules implements ConfigurationCondition {

	private static final List<ConfigurationPropertyName> PLACES = Stream
		.of("ratelimit.rules", "ratelimit.rule-source", "ratelimit.clients")
		.map(ConfigurationPropertyName::of)
		.toList();

	private static final String AHEAD_OF_TIME = "spring.aot.processing";

	@Override
	public ConfigurationPhase getConfigurationPhase() {
		return ConfigurationPhase.REGISTER_BEAN;
	}

	/** An application that is processed ahead of time may get its rules at run time. */
	@Override
	public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
		ConfigurableListableBeanFactory beanFactory = Objects.requireNonNull(context.getBeanFactory());
		return Boolean.getBoolean(AHEAD_OF_TIME) || isConfigured(context.getEnvironment())
				|| beanFactory.getBeanNamesForType(RuleSource.class, true, false).length > 0
				|| InvalidSettings.explain(() -> !new AnnotatedBeans(beanFactory).types().isEmpty());
	}

	/** Looks at the names only: many beans ask, and there may be thousands of rules. */
	private static boolean isConfigured(Environment environment) {
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
			for (ConfigurationPropertyName place : PLACES) {
				if (source.containsDescendantOf(place) == ConfigurationPropertyState.PRESENT) {
					return true;
				}
			}
		}
		return false;
	}

}
