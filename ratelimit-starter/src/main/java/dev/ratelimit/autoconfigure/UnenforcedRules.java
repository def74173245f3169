package dev.ratelimit.autoconfigure;

import java.util.List;

import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.rules.RuleSetValidator;
import dev.ratelimit.method.annotated.AnnotatedBeans;
import dev.ratelimit.method.annotated.RateLimitedAnnotations;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/**
 * Fails the start of a web application whose rules nothing would enforce, above all a
 * reactive one: a limiter is never silently off.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication
class UnenforcedRules {

	@Bean
	SmartInitializingSingleton rateLimitStarterUnenforcedControllers(AnnotatedBeans annotated,
			BeanFactory beanFactory) {
		return () -> {
			if (isEnforced(beanFactory)) {
				return;
			}
			annotated.types().stream().filter(RateLimitedAnnotations::isController).findFirst().ifPresent((type) -> {
				String annotation = "@RateLimited stands on the controller " + type.getName();
				requireKnownInTime(annotation + ", but it", beanFactory);
				throw new RulesNotEnforceableException(annotation
						+ ", but only a servlet application with Spring MVC can enforce it there, and this is none",
						"Use spring-boot-starter-webmvc, or put the annotation on a method of another bean");
			});
		};
	}

	@Bean
	@Lazy
	RuleSetValidator rateLimitStarterUnenforcedRulesCheck(RateLimitProperties properties, BeanFactory beanFactory) {
		return (rules) -> {
			if (properties.enabled() && !isEnforced(beanFactory)) {
				requireNoPaths(rules, beanFactory);
			}
		};
	}

	private static boolean isEnforced(BeanFactory beanFactory) {
		return beanFactory.containsBean(RateLimitWebAutoConfiguration.ROUTES);
	}

	private static void requireNoPaths(CompiledRules rules, BeanFactory beanFactory) {
		List<String> byPath = rules.enabled()
			.stream()
			.filter((rule) -> !rule.config().requests().paths().isEmpty())
			.map(CompiledRule::id)
			.toList();
		if (!byPath.isEmpty()) {
			requireKnownInTime("Rules limit paths " + byPath + ", but the RuleSource that has them", beanFactory);
			throw new RulesNotEnforceableException(
					"Rules limit paths " + byPath + ", but only a servlet application with Spring MVC can enforce "
							+ "them, and this is none",
					"Use spring-boot-starter-webmvc, remove the paths from the rules, or set ratelimit.enabled to "
							+ "false");
		}
	}

	/** If the rules were not known in time, there is no filter even with Spring MVC. */
	private static void requireKnownInTime(String what, BeanFactory beanFactory) {
		if (!beanFactory.containsBean(RateLimitAutoConfiguration.POSSIBLE_RULES)) {
			throw new RulesNotEnforceableException(
					what + " was registered after the limiter had looked for rules, found none and left its filter out",
					"Put @AutoConfiguration(before = RateLimitAutoConfiguration.class) on the auto-configuration that "
							+ "registers it");
		}
	}

}
