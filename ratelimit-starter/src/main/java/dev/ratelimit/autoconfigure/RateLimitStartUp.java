package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.ratelimit.limiter.rules.ActiveRules;
import dev.ratelimit.limiter.rules.RuleSetValidator;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.rule.live.RuleWarnings;
import dev.ratelimit.support.LogFields;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Fails the start if the rules cannot be enforced. Otherwise logs once what is limited
 * and where it is counted. A limiter that is off logs at a higher level than one that is
 * on.
 */
final class RateLimitStartUp implements SmartInitializingSingleton, ApplicationListener<ContextRefreshedEvent> {

	private static final Logger logger = LoggerFactory.getLogger(RateLimitStartUp.class);

	private final ActiveRules rules;

	private final ObjectProvider<RuleSetValidator> checks;

	private final ModuleConfiguration.FollowingModules modules;

	private final RuleWarnings warnings;

	private final Supplier<String> store;

	private final boolean enabled;

	private final ApplicationContext context;

	private volatile boolean started;

	RateLimitStartUp(ActiveRules rules, ObjectProvider<RuleSetValidator> checks,
			ModuleConfiguration.FollowingModules modules, RuleWarnings warnings, Supplier<String> store,
			boolean enabled, ApplicationContext context) {
		this.context = context;
		this.rules = rules;
		this.checks = checks;
		this.modules = modules;
		this.warnings = warnings;
		this.store = store;
		this.enabled = enabled;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.rules.validate(this.checks.orderedStream().toList());
		this.modules.follow(this.rules);
		this.rules.follow((next) -> () -> warn(next.ruleSet()));
	}

	/** That there are no rules is a line of its own at the start. */
	private void warn(RuleSet rules) {
		if (this.started || (this.enabled && !rules.enabled().isEmpty())) {
			this.warnings.update(rules);
		}
	}

	private RuleSet rules() {
		return this.rules.get().ruleSet();
	}

	/** Not earlier, because the start may still fail before this event. */
	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		if (event.getApplicationContext() != this.context) {
			return;
		}
		this.started = true;
		if (!this.enabled || rules().enabled().isEmpty()) {
			logger.atWarn().addKeyValue(LogFields.RULES, 0).log(summary());
			return;
		}
		logger.atInfo()
			.addKeyValue(LogFields.RULES, rules().enabled().size())
			.addKeyValue(LogFields.STORE, this.store.get())
			.log(summary());
		String unrouted = unrouted();
		if (!unrouted.isEmpty()) {
			logger.info("These rules have no paths and act only where code names them: " + unrouted);
		}
	}

	/** Usually a forgotten path, or a misspelt id of a rule that was to be overridden. */
	private String unrouted() {
		return rules().enabled()
			.stream()
			.filter((rule) -> rule.requests().paths().isEmpty())
			.map(RLConfig::id)
			.collect(Collectors.joining(", "));
	}

	String summary() {
		List<RLConfig> active = rules().enabled();
		int disabled = rules().rules().size() - active.size();
		if (!this.enabled) {
			return "Rate limiting is OFF (ratelimit.enabled is false): " + rules(active.size())
					+ ((active.size() == 1) ? " is" : " are") + " not enforced";
		}
		if (active.isEmpty()) {
			return "Rate limiting has nothing to do: no rule is enabled, neither under ratelimit.rules nor in another "
					+ "source";
		}
		String whenItFails = active.stream()
			.collect(Collectors.groupingBy((rule) -> rule.enforcement().onStoreFailure(), TreeMap::new,
					Collectors.counting()))
			.entrySet()
			.stream()
			.map((policy) -> policy.getValue() + " " + policy.getKey().name().toLowerCase(Locale.ROOT))
			.collect(Collectors.joining(", "));
		return "Rate limiting is on: %s%s, counted in %s; on-store-failure: %s".formatted(rules(active.size()),
				(disabled > 0) ? " and " + disabled + " disabled" : "", this.store.get(), whenItFails);
	}

	private static String rules(int count) {
		return count + ((count == 1) ? " rule" : " rules");
	}

}
