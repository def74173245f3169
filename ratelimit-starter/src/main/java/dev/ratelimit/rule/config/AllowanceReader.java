package dev.ratelimit.rule.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Algorithm.Option;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.KeyOverride;
import dev.ratelimit.rule.KeySource;
import dev.ratelimit.rule.Plans;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.RuleKey;

/**
 * Reads the allowances of a rule: its thresholds, plans and overrides. Thresholds have a
 * short and a long form.
 */
final class AllowanceReader {

	private final KeyReader keys;

	private final Optional<Algorithm> algorithm;

	/**
	 * Create a reader.
	 * @param keys the keys of the rule
	 * @param algorithm its algorithm; empty if it is unknown, and every burst is read
	 */
	AllowanceReader(KeyReader keys, Optional<Algorithm> algorithm) {
		this.keys = keys;
		this.algorithm = algorithm;
	}

	/**
	 * Read the allowances.
	 * @param rule the builder that receives them
	 * @param planNames the plans of the rule
	 */
	void read(RLConfigBuilder rule, Collection<String> planNames) {
		this.keys.find("thresholds")
			.flatMap((setting) -> thresholds(setting, RLThreshold::valueOf))
			.ifPresent(rule::thresholds);
		plans(planNames).ifPresent(rule::plans);
		this.keys.find("overrides").map((setting) -> overrides(setting, keySources())).ifPresent(rule::overrides);
	}

	/** The number of sources of the key; 1 if it is wrong. */
	private int keySources() {
		return this.keys.find(RuleKey.KEY.text())
			.flatMap((setting) -> this.keys.many(setting, TextList::split, RuleKey.KEY::parse))
			.map(List::size)
			.orElse(1);
	}

	/** A default plan-key does not apply to a rule without plans. */
	private Optional<Plans> plans(Collection<String> names) {
		Map<String, Allowance> allowances = new LinkedHashMap<>();
		for (String name : names) {
			this.keys.find("plans." + name)
				.flatMap((plan) -> named(plan, name))
				.flatMap(this::allowance)
				.ifPresentOrElse((allowance) -> allowances.put(name, allowance), this.keys::fail);
		}
		Optional<Setting> keySetting = this.keys.find("plan-key")
			.filter((setting) -> !names.isEmpty() || this.keys.isOwn("plan-key"));
		Optional<KeySource> key = keySetting.flatMap((setting) -> this.keys.one(setting, Plans::key));
		boolean complete = allowances.size() == names.size() && key.isPresent() == keySetting.isPresent();
		return keySetting.or(() -> this.keys.find("plans"))
			.filter((setting) -> complete)
			.flatMap((setting) -> this.keys.make(setting, () -> new Plans(key, allowances)));
	}

	private Optional<Setting> named(Setting plan, String name) {
		return this.keys.make(plan, () -> {
			Plans.requireName(name);
			return plan;
		});
	}

	private List<KeyOverride> overrides(Setting list, int sources) {
		List<KeyOverride> overrides = new ArrayList<>();
		for (Setting override : list.elements()) {
			String cure = "Write both key and thresholds; a list is taken whole from the first source that has any of it";
			Optional<List<String>> key = this.keys.part(override, "key", cure).flatMap((part) -> values(part, sources));
			Optional<Allowance> allowance = this.keys.part(override, "thresholds", cure).flatMap(this::allowance);
			if (key.isPresent() && allowance.isPresent()) {
				this.keys.make(override, () -> new KeyOverride(key.get(), allowance.get())).ifPresent(overrides::add);
			}
		}
		return overrides;
	}

	/** A single value may contain commas; the values of a tuple are written as a list. */
	private Optional<List<String>> values(Setting setting, int sources) {
		return this.keys.many(setting, (text) -> (sources == 1) ? List.of(text.strip()) : TextList.split(text),
				String::strip);
	}

	/** Thresholds, or the word that replaces them. */
	private Optional<Allowance> allowance(Setting setting) {
		Optional<Allowance> word = this.keys.one(setting, (text) -> text).flatMap(Allowance::ofWord);
		return word.or(() -> thresholds(setting, AllowanceReader::thresholdOfAllowance)
			.flatMap((thresholds) -> this.keys.make(setting, () -> new Allowance.Limited(thresholds))));
	}

	/**
	 * A word is allowed instead of thresholds, so a value that is neither may be a
	 * misspelt word.
	 */
	private static RLThreshold thresholdOfAllowance(String text) {
		if (text.indexOf('/') < 0) {
			throw new InvalidRuleException("thresholds", text, "is no threshold",
					"Write thresholds such as 500/2s, 2000/10s, or one word alone: unlimited or blocked");
		}
		return RLThreshold.valueOf(text);
	}

	private Optional<List<RLThreshold>> thresholds(Setting list, Function<String, RLThreshold> shortForm) {
		return this.keys.many(list, TextList::split, shortForm,
				(element) -> element.text().isPresent() ? this.keys.one(element, shortForm) : longForm(element));
	}

	/**
	 * Each part is checked together with valid other parts, so that all mistakes are
	 * found.
	 */
	private Optional<RLThreshold> longForm(Setting setting) {
		String cure = "Write both threshold and window; a list is taken whole from the first source that has any of it";
		Optional<String> threshold = this.keys.part(setting, "threshold", cure)
			.flatMap((part) -> checked(part, (text) -> RLThreshold.of(text, "s")));
		Optional<String> window = this.keys.part(setting, "window", cure)
			.flatMap((part) -> checked(part, (text) -> RLThreshold.of("1", text)));
		Optional<String> burst = setting.part("burst").map((part) -> checked(part, this::checkBurst)).orElse(threshold);
		return (threshold.isEmpty() || window.isEmpty()) ? Optional.empty()
				: burst.map((capacity) -> RLThreshold.of(threshold.get(), window.get(), capacity));
	}

	private Optional<String> checked(Setting setting, Consumer<String> check) {
		return this.keys.one(setting, (text) -> {
			check.accept(text);
			return text;
		});
	}

	private void checkBurst(String text) {
		RLThreshold.of("1", "s", text);
		this.algorithm.ifPresent((known) -> known.require(Option.BURST, text));
	}

}
