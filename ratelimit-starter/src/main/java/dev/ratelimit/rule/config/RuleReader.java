package dev.ratelimit.rule.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.Plans;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.RuleCatalogue;
import dev.ratelimit.rule.RuleKey;
import dev.ratelimit.rule.RuleValues;
import dev.ratelimit.spi.Problem;

/**
 * Converts settings to rules. Continues after an error, so that all are found.
 */
final class RuleReader {

	private static final String DEFAULTS = SettingNames.PREFIX + "." + SettingNames.DEFAULTS;

	private final RuleCatalogue catalogue;

	private final Settings settings;

	private final Findings findings;

	RuleReader(Settings settings, Findings findings) {
		this.catalogue = settings.names().modules().catalogue();
		this.settings = settings;
		this.findings = findings;
	}

	/**
	 * Read all rules.
	 * @return the rules without errors
	 */
	List<RLConfig> read() {
		if (this.settings.anyOf(DEFAULTS).isPresent()) {
			checkDefaults();
		}
		List<RLConfig> rules = new ArrayList<>();
		for (String id : this.settings.names().ids()) {
			read(id).ifPresent(rules::add);
		}
		return rules;
	}

	/** Finds a wrong default even if no rule uses it. */
	private void checkDefaults() {
		KeyReader defaults = new KeyReader(this.settings, DEFAULTS, List.of(DEFAULTS), this.findings);
		CatalogueReader reader = new CatalogueReader(this.catalogue, defaults);
		RuleValues ofAnyAlgorithm = new RuleValues(this.catalogue);
		// With a body, a default content type is checked.
		ofAnyAlgorithm.put(RuleKey.REFUSAL_BODY, List.of(""));
		reader.readPlain(ofAnyAlgorithm);
		ofAnyAlgorithm.remove(RuleKey.ALGORITHM);
		reader.readOthers(ofAnyAlgorithm);
		defaults.one("plan-key", Plans::key);
		requireTogether();
	}

	/** Each rule would ignore one of two defaults that contradict each other. */
	private void requireTogether() {
		KeyReader defaults = new KeyReader(this.settings, "", List.of(DEFAULTS), this.findings);
		Arrays.stream(Algorithm.values())
			.flatMap((algorithm) -> new CatalogueReader(this.catalogue, defaults).contradiction(algorithm).stream())
			.findFirst()
			.ifPresent((contradiction) -> problem(DEFAULTS, defaults, contradiction));
	}

	private void problem(String place, KeyReader keys, InvalidRuleException ex) {
		String name = ex.property().equals("id") ? place : place + "." + ex.property();
		Optional<Setting> near = keys.find(ex.property()).or(() -> this.settings.anyOf(place));
		this.findings.problem(new Problem(name, ex.value(), near.map(Setting::origin), ex.reason(), ex.cure()));
	}

	private Optional<RLConfig> read(String id) {
		String own = SettingNames.rule(id);
		KeyReader keys = new KeyReader(this.settings, own, List.of(own, DEFAULTS), this.findings);
		RuleValues values = values(keys, Optional.empty());
		RLConfigBuilder rule = values.rule(id);
		new AllowanceReader(keys, values.algorithm()).read(rule, this.settings.names().plans(id));
		try {
			RLConfig.requireId(id);
			if (keys.find("thresholds").isEmpty()) {
				throw new InvalidRuleException("thresholds", "", "is missing",
						"Every rule needs thresholds, for example 500/2s, 2000/10s");
			}
			boolean isComplete = !keys.hasFailed() && values.algorithm().isPresent();
			return isComplete ? Optional.of(rule.build()) : Optional.empty();
		}
		catch (InvalidRuleException ex) {
			problem(own, keys, ex);
			return Optional.empty();
		}
	}

	/**
	 * Start a rule from another source.
	 * @param id its id; the settings of a configured rule with that id are not used
	 * @param algorithm its algorithm, if it does not use that of the defaults
	 * @return the rule with the defaults that are compatible with the algorithm
	 */
	RLConfigBuilder begin(String id, Optional<Algorithm> algorithm) {
		KeyReader keys = new KeyReader(this.settings, SettingNames.rule(id), List.of(DEFAULTS), this.findings);
		return values(keys, algorithm).rule(id);
	}

	/**
	 * Reads the keys that need no reader of their own.
	 * @param given the algorithm of the rule, if its keys do not decide it
	 * @return the values; without an algorithm if it is wrong
	 */
	private RuleValues values(KeyReader keys, Optional<Algorithm> given) {
		CatalogueReader reader = new CatalogueReader(this.catalogue, keys);
		RuleValues values = new RuleValues(this.catalogue);
		reader.readPlain(values);
		given.or(() -> standard(keys)).ifPresent((algorithm) -> values.put(RuleKey.ALGORITHM, List.of(algorithm)));
		reader.readOthers(values);
		return values;
	}

	private static Optional<Algorithm> standard(KeyReader keys) {
		return keys.find(RuleKey.ALGORITHM.text()).isPresent() ? Optional.empty()
				: Optional.of(Algorithm.SLIDING_WINDOW_LOG);
	}

}
