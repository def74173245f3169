package dev.ratelimit.autoconfigure;

import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.live.RulesFollower;
import dev.ratelimit.limiter.live.RulesInForce;
import dev.ratelimit.method.annotated.AnnotatedBeans;
import dev.ratelimit.method.annotated.Marks;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} that stops a web application whose rules nothing would enforce, a
 * reactive one above all: a limiter is never silently off.
 */
@AutoConfiguration(after = RateLimitWebAutoConfiguration.class)
@ConditionalOnWebApplication
@ConditionalOnMissingBean(RoutesSupplier.class)
public final class RateLimitUnenforcedAutoConfiguration {

	@Bean
	SmartInitializingSingleton rateLimitUnenforcedRules(RulesInForce rules, RateLimitProperties properties,
			AnnotatedBeans annotated) {
		return () -> {
			requireEnforceable(rules.get(), properties);
			annotated.types().stream().filter(Marks::isController).findFirst().ifPresent((type) -> {
				throw new RulesNotEnforceableException("@RateLimited stands on the controller " + type.getName()
						+ ", but only a servlet application with Spring MVC can enforce it there, and this is none",
						"Use spring-boot-starter-webmvc, or put the annotation on a method of another bean");
			});
		};
	}

	/** Also of rules that come later. */
	@Bean
	RulesFollower rateLimitUnenforcedRulesCheck(RateLimitProperties properties) {
		return (rules) -> {
			requireEnforceable(rules, properties);
			return () -> {
			};
		};
	}

	private static void requireEnforceable(CompiledRules rules, RateLimitProperties properties) {
		long byPath = rules.enabled().stream().filter((rule) -> !rule.config().paths().isEmpty()).count();
		if (properties.enabled() && byPath > 0) {
			throw new RulesNotEnforceableException(
					byPath + " rules under ratelimit.rules limit paths, but only a servlet application with Spring "
							+ "MVC can enforce them, and this is none",
					"Use spring-boot-starter-webmvc, remove the paths from the rules, or set ratelimit.enabled to "
							+ "false");
		}
	}

}
