package dev.ratelimit.autoconfigure;

import java.util.List;

import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.rules.RuleSetValidator;
import dev.ratelimit.method.annotated.AnnotatedBeans;
import dev.ratelimit.method.annotated.RateLimitedAnnotations;
import dev.ratelimit.spi.RulesNotEnforceableException;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;

/**
 * Fails the start of a web application whose rules nothing would enforce, above all a
 * reactive one: a limiter is never silently off.
 */
@ConditionalOnWebApplication
class UnenforcedRules implements SmartInitializingSingleton, RuleSetValidator {

	private final AnnotatedBeans annotated;

	private final BeanFactory beanFactory;

	private final boolean enabled;

	UnenforcedRules(AnnotatedBeans annotated, BeanFactory beanFactory, RateLimitProperties properties) {
		this.annotated = annotated;
		this.beanFactory = beanFactory;
		this.enabled = properties.enabled();
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (isEnforced()) {
			return;
		}
		this.annotated.types().stream().filter(RateLimitedAnnotations::isController).findFirst().ifPresent((type) -> {
			String annotation = "@RateLimited stands on the controller " + type.getName();
			requireKnownInTime(annotation + ", but it");
			throw new RulesNotEnforceableException(
					annotation
							+ ", but only a servlet application with Spring MVC can enforce it there, and this is none",
					"Use spring-boot-starter-webmvc, or put the annotation on a method of another bean");
		});
	}

	@Override
	public void check(CompiledRules rules) {
		if (this.enabled && !isEnforced()) {
			requireNoPaths(rules);
		}
	}

	private boolean isEnforced() {
		return this.beanFactory.containsBean(RateLimitWebAutoConfiguration.ROUTES);
	}

	private void requireNoPaths(CompiledRules rules) {
		List<String> byPath = rules.enabled()
			.stream()
			.filter((rule) -> !rule.config().requests().paths().isEmpty())
			.map(CompiledRule::id)
			.toList();
		if (!byPath.isEmpty()) {
			requireKnownInTime("Rules limit paths " + byPath + ", but the RuleSource that has them");
			throw new RulesNotEnforceableException(
					"Rules limit paths " + byPath + ", but only a servlet application with Spring MVC can enforce "
							+ "them, and this is none",
					"Use spring-boot-starter-webmvc, remove the paths from the rules, or set ratelimit.enabled to "
							+ "false");
		}
	}

	/** If the rules were not known in time, there is no filter even with Spring MVC. */
	private void requireKnownInTime(String what) {
		if (!this.beanFactory.containsBean(RateLimitAutoConfiguration.POSSIBLE_RULES)) {
			throw new RulesNotEnforceableException(
					what + " was registered after the limiter had looked for rules, found none and left its filter out",
					"Put @AutoConfiguration(before = RateLimitAutoConfiguration.class) on the auto-configuration that "
							+ "registers it");
		}
	}

}
