package dev.ratelimit.rule.source;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.KeySource;
import dev.ratelimit.rule.OnMissingKey;
import dev.ratelimit.rule.OnStoreFailure;
import dev.ratelimit.rule.Plans;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.Stage;

/**
 * Converts settings to rules. Continues after an error, so that all are found.
 */
final class RuleReader {

	private static final String DEFAULTS = SettingNames.PREFIX + "." + SettingNames.DEFAULTS;

	private final Settings settings;

	private final Findings findings;

	RuleReader(Settings settings, Findings findings) {
		this.settings = settings;
		this.findings = findings;
	}

	/**
	 * Read all rules.
	 * @return the rules without errors
	 */
	List<RLConfig> read() {
		// Finds a wrong default even if no rule uses it.
		KeyReader defaults = new KeyReader(this.settings, List.of(DEFAULTS), this.findings);
		readKeys(defaults, RLConfig.builder("defaults"));
		new OptionReader(defaults, Optional.empty()).read(RLConfig.builder("defaults"));
		defaults.one("plan-key", Plans::key);
		List<RLConfig> rules = new ArrayList<>();
		for (String id : this.settings.rules().ids()) {
			read(id).ifPresent(rules::add);
		}
		return rules;
	}

	private Optional<RLConfig> read(String id) {
		KeyReader keys = new KeyReader(this.settings, List.of(SettingNames.rule(id), DEFAULTS), this.findings);
		RLConfigBuilder rule = RLConfig.builder(id);
		readKeys(keys, rule);
		Optional<Algorithm> algorithm = algorithm(keys);
		new OptionReader(keys, algorithm).read(rule);
		new AllowanceReader(keys, algorithm).read(rule, this.settings.rules().plans(id), key(keys));
		if (!requireId(id) || !requireThresholds(id, keys) || keys.values().hasFailed() || algorithm.isEmpty()) {
			return Optional.empty();
		}
		try {
			return Optional.of(rule.build());
		}
		catch (InvalidRuleException ex) {
			this.findings.problem(new Problem(SettingNames.rule(id) + "." + ex.property(), ex.value(),
					keys.find(ex.property()).map(Setting::origin), ex.reason(), ex.cure()));
			return Optional.empty();
		}
	}

	/**
	 * Start a rule from another source.
	 * @param id its id
	 * @param algorithm its algorithm, if it does not use that of the defaults
	 * @return the rule with the defaults that are compatible with the algorithm
	 */
	RLConfigBuilder begin(String id, Optional<Algorithm> algorithm) {
		KeyReader keys = new KeyReader(this.settings, List.of(SettingNames.rule(id), DEFAULTS), this.findings);
		RLConfigBuilder rule = RLConfig.builder(id);
		readKeys(keys, rule);
		algorithm.ifPresent(rule::algorithm);
		new OptionReader(keys, algorithm.or(() -> algorithm(keys))).read(rule);
		return rule;
	}

	/** Empty if it is wrong, because then its compatible keys are unknown. */
	private static Optional<Algorithm> algorithm(KeyReader keys) {
		return keys.find("algorithm").isPresent() ? keys.one("algorithm", Values.oneOf(Algorithm.class))
				: Optional.of(Algorithm.SLIDING_WINDOW_LOG);
	}

	private static Optional<List<KeySource>> key(KeyReader keys) {
		return keys.many("key", TextList::split, (text) -> KeySource.valueOf(text.strip()));
	}

	private static void readKeys(KeyReader keys, RLConfigBuilder rule) {
		keys.one("enabled", Values::bool).ifPresent(rule::enabled);
		keys.many("methods", TextList::split, Values::method)
			.ifPresent((methods) -> rule.methods(methods.toArray(String[]::new)));
		keys.many("paths", TextList::splitPaths, Values::path)
			.ifPresent((paths) -> rule.paths(paths.toArray(String[]::new)));
		key(keys).ifPresent(rule::key);
		keys.one("on-missing-key", Values.oneOf(OnMissingKey.class)).ifPresent(rule::onMissingKey);
		keys.one("stage", Values.oneOf(Stage.class)).ifPresent(rule::stage);
		keys.one("algorithm", Values.oneOf(Algorithm.class)).ifPresent(rule::algorithm);
		keys.one("cost", rule::cost);
		keys.one("when", rule::when);
		keys.one("shadow", Values::bool).ifPresent(rule::shadow);
		keys.one("on-store-failure", Values.oneOf(OnStoreFailure.class)).ifPresent(rule::onStoreFailure);
	}

	private boolean requireId(String id) {
		try {
			RLConfig.requireId(id);
			return true;
		}
		catch (InvalidRuleException ex) {
			this.findings.problem(
					new Problem(SettingNames.rule(id), id, origin(id).map(Setting::origin), ex.reason(), ex.cure()));
			return false;
		}
	}

	private boolean requireThresholds(String id, KeyReader keys) {
		boolean present = keys.find("thresholds").isPresent();
		if (!present) {
			this.findings
				.problem(new Problem(SettingNames.rule(id) + ".thresholds", "", origin(id).map(Setting::origin),
						"is missing", "Every rule needs thresholds, for example 500/2s, 2000/10s"));
		}
		return present;
	}

	private Optional<Setting> origin(String id) {
		return this.settings.anyOf(SettingNames.rule(id));
	}

}
