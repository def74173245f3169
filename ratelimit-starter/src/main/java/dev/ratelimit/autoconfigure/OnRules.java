package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.Objects;

import dev.ratelimit.method.annotated.AnnotatedBeans;
import dev.ratelimit.rule.RuleSource;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if there is a rule, or a source from which a rule may come later. Otherwise
 * nothing needs to be limited, and the application runs as without the limiter. The
 * outcome is determined once, when {@link RateLimitAutoConfiguration} is registered, and
 * then kept in the bean factory: all beans that only rules need agree, and each further
 * condition costs a look-up by name.
 */
final class OnRules extends SpringBootCondition implements ConfigurationCondition {

	private static final List<String> PLACES = List.of("ratelimit.rules", "ratelimit.rule-source", "ratelimit.clients");

	/** Kept as Boot keeps its report of all conditions. */
	private static final String OUTCOME = OnRules.class.getName() + ".outcome";

	private static final String AHEAD_OF_TIME = "spring.aot.processing";

	@Override
	public ConfigurationPhase getConfigurationPhase() {
		return ConfigurationPhase.REGISTER_BEAN;
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		ConfigurableListableBeanFactory beanFactory = Objects.requireNonNull(context.getBeanFactory());
		if (!beanFactory.containsBeanDefinition(RateLimitAutoConfiguration.RULES)) {
			return ConditionOutcome.noMatch(because("RateLimitAutoConfiguration is not there"));
		}
		if (beanFactory.getSingleton(OUTCOME) instanceof ConditionOutcome known) {
			return known;
		}
		ConditionOutcome outcome = isPossible(context.getEnvironment(), beanFactory)
				? ConditionOutcome.match(because("there is a rule, or a source of rules"))
				: ConditionOutcome.noMatch(because("there is neither a rule nor a source of rules"));
		beanFactory.registerSingleton(OUTCOME, outcome);
		return outcome;
	}

	/** An application that is processed ahead of time may get its rules at run time. */
	private static boolean isPossible(Environment environment, ConfigurableListableBeanFactory beanFactory) {
		return Boolean.getBoolean(AHEAD_OF_TIME)
				|| PLACES.stream().anyMatch((place) -> Places.isSet(environment, place))
				|| beanFactory.getBeanNamesForType(RuleSource.class, true, false).length > 0
				|| SettingErrors.explain(() -> !new AnnotatedBeans(beanFactory).types().isEmpty());
	}

	private static ConditionMessage because(String reason) {
		return ConditionMessage.forCondition("Rate limit rules").because(reason);
	}

}
