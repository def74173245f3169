package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.Objects;

import dev.ratelimit.method.annotated.AnnotatedBeans;
import dev.ratelimit.rule.RuleSource;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if there is a rule, or a source from which a rule may come later. Otherwise
 * nothing needs to be limited, and the application runs as without the limiter.
 */
final class OnRules implements ConfigurationCondition {

	private static final List<String> PLACES = List.of("ratelimit.rules", "ratelimit.rule-source", "ratelimit.clients");

	private static final String AHEAD_OF_TIME = "spring.aot.processing";

	@Override
	public ConfigurationPhase getConfigurationPhase() {
		return ConfigurationPhase.REGISTER_BEAN;
	}

	/** An application that is processed ahead of time may get its rules at run time. */
	@Override
	public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
		ConfigurableListableBeanFactory beanFactory = Objects.requireNonNull(context.getBeanFactory());
		return Boolean.getBoolean(AHEAD_OF_TIME)
				|| PLACES.stream().anyMatch((place) -> Places.isSet(context.getEnvironment(), place))
				|| beanFactory.getBeanNamesForType(RuleSource.class, true, false).length > 0
				|| InvalidSettings.explain(() -> !new AnnotatedBeans(beanFactory).types().isEmpty());
	}

}
