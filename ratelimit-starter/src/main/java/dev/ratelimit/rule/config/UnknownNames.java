package dev.ratelimit.rule.config;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.rule.AbsentModule;
import dev.ratelimit.rule.ValueKind;
import dev.ratelimit.spi.Problem;

/**
 * Refuses settings with unknown names, and suggests the intended ones.
 */
final class UnknownNames {

	/**
	 * All below an override but its thresholds may be its key, which may be an API key.
	 */
	private static final Pattern KEY_OF_OVERRIDE = Pattern
		.compile("(?i)\\boverrides(\\[\\d++]|\\.\\d++)(?!\\.thresholds)|\\boverrides\\.keys?\\b");

	private static final Pattern MEANT_THRESHOLDS = Pattern.compile("Did you mean (thresholds?|window|burst)\\b");

	private static final Pattern BEYOND_LIST = Pattern.compile("\\[[1-9][0-9]{4,}]");

	/** What other limiters call thresholds. */
	private static final Set<String> LIMITS = Set.of("limit", "limits", "rate", "rates", "quota");

	private final SettingNames names;

	private final Map<String, ValueKind> globals;

	private final Findings findings;

	/**
	 * Create an object.
	 * @param names the known names
	 * @param findings collects errors, and warnings of environment variables
	 */
	UnknownNames(SettingNames names, Findings findings) {
		this.names = names;
		this.globals = names.globals();
		this.findings = findings;
	}

	/**
	 * The text of a setting, for messages.
	 * @param name its name
	 * @param text its text
	 * @return the text, masked if it may be a secret
	 */
	static String shown(String name, String text) {
		return KEY_OF_OVERRIDE.matcher(name).find() ? Problem.MASK : text;
	}

	/**
	 * Refuse a setting. An environment variable is ignored with a warning, because it may
	 * have nothing to do with the limiter.
	 * @param setting the setting
	 */
	void refuse(WrittenSetting setting) {
		Optional<AbsentModule> owner = this.names.modules().absent().ofSetting(setting);
		Optional<String> absence = owner.map(AbsentModule::reason);
		String cure = owner.map(AbsentModule::cure).orElseGet(() -> cure(setting));
		if (setting.isVariable()) {
			this.findings.warning("The environment variable " + setting.spelling() + " "
					+ absence.orElse("looks like a setting of the rate limiter but belongs to none")
					+ ", and is ignored. " + cure);
		}
		else if (BEYOND_LIST.matcher(setting.spelling()).find()) {
			problem(setting, shown(setting.spelling(), setting.text()),
					"is beyond the last element that a list may have",
					"Keep at most 10000 elements; a plan takes any number of customers");
		}
		else {
			problem(setting,
					MEANT_THRESHOLDS.matcher(cure).find() ? setting.text() : shown(setting.spelling(), setting.text()),
					absence.orElse(setting.text().isBlank() ? "is empty" : "belongs to no key of this version"), cure);
		}
	}

	private void problem(WrittenSetting setting, String shown, String reason, String cure) {
		this.findings.problem(new Problem(setting.spelling(), shown, Optional.of(setting.origin()), reason, cure));
	}

	private String cure(WrittenSetting setting) {
		Optional<String> meant = this.names.findMeant(setting).filter((name) -> setting.isVariable());
		if (meant.isPresent()) {
			return "Write " + PropertyNames.variable(meant.get());
		}
		List<String> elements = setting.elements();
		if (setting.isBelow(SettingNames.RULES)) {
			return ruleCure(elements.subList(2, elements.size()));
		}
		if (setting.isBelow(SettingNames.DEFAULTS)) {
			return cure(elements.stream().skip(2).findFirst().orElse(""), this.names.ofDefaults().kinds().keySet());
		}
		for (Map.Entry<String, KnownNames> chosen : this.names.chosen().entrySet()) {
			if (setting.isBelow(chosen.getKey())) {
				int place = 1 + chosen.getKey().split("\\.").length;
				return belowCure(elements.subList(place, elements.size()), chosen.getValue(),
						"Write the keys below a name of your choice, ratelimit." + chosen.getKey() + ".<name>.<key>");
			}
		}
		return globalCure(elements.subList(1, elements.size()));
	}

	/** For a name below {@code rules}, which should be an id and a key. */
	private String ruleCure(List<String> written) {
		if (written.size() < 2) {
			return (!written.isEmpty() && this.names.ofRules().kinds().containsKey(written.get(0)))
					? "Indent it below the id of its rule: ratelimit.rules.<id>." + written.get(0)
					: "Write the keys of each rule below its id, ratelimit.rules.<id>.<key>. The keys are "
							+ String.join(", ", this.names.ofRules().kinds().keySet());
		}
		List<String> key = written.subList(1, written.size());
		return key.equals(List.of("id")) ? "Rules are a map: write the id as the name of the rule, ratelimit.rules.<id>"
				: cure(key, this.names.ofRules());
	}

	private static String belowCure(List<String> written, KnownNames keys, String cure) {
		return (written.size() < 2) ? cure : cure(written.subList(1, written.size()), keys);
	}

	/**
	 * Suggest the intended name.
	 * @param written the elements of the written one from the key on, at least one
	 * @param names the keys allowed there
	 */
	private static String cure(List<String> written, KnownNames names) {
		Map<String, ValueKind> keys = names.kinds();
		ValueKind form = keys.get(written.get(0));
		if (form == null) {
			boolean isGroup = keys.keySet().stream().anyMatch((key) -> key.startsWith(written.get(0) + "."));
			String name = written.stream().limit(isGroup ? 2 : 1).collect(Collectors.joining("."));
			ValueKind ofGroup = keys.get(name);
			return (ofGroup != null) ? ofGroup.cure(name) : cure(name, keys.keySet());
		}
		List<String> below = written.stream().skip((form == ValueKind.PLANS) ? 2 : 1).toList();
		boolean isPart = below.size() > 1 && KnownNames.isIndex(below.get(0));
		if (isPart && form == ValueKind.OVERRIDES) {
			return cure(below.subList(1, below.size()), KnownNames.OF_OVERRIDES);
		}
		if (isPart && (form == ValueKind.THRESHOLDS || form == ValueKind.PLANS)) {
			return cure(below.subList(1, below.size()), KnownNames.OF_THRESHOLDS);
		}
		return form.cure(written.get(0));
	}

	private static String cure(String name, Collection<String> candidates) {
		if (name.equals("burst") && !candidates.contains(name)) {
			return "Each threshold has its own: write thresholds: [{threshold: 5, window: 1m, burst: 10}]";
		}
		Optional<String> meant = LIMITS.contains(name) ? Optional.of("thresholds").filter(candidates::contains)
				: PropertyNames.nearest(name, candidates);
		return meant.map(UnknownNames::question).orElseGet(() -> "The keys here are " + String.join(", ", candidates));
	}

	private static String question(String meant) {
		return "Did you mean " + meant + "?";
	}

	/** Suggests similar names out of some forty. */
	private String globalCure(List<String> written) {
		Optional<String> nearest = PropertyNames.nearest(String.join(".", written), this.globals.keySet());
		if (nearest.isPresent()) {
			return question(nearest.get());
		}
		String first = written.isEmpty() ? "" : written.get(0);
		List<String> there = this.globals.keySet()
			.stream()
			.filter((key) -> isSame(key.split("\\.", 2)[0], first))
			.toList();
		if (!there.isEmpty()) {
			return "The keys there are " + String.join(", ", there);
		}
		String last = written.isEmpty() ? "" : written.get(written.size() - 1);
		return PropertyNames.nearest(first, places())
			.or(() -> this.globals.keySet()
				.stream()
				.filter((key) -> isSame(key.substring(key.lastIndexOf('.') + 1), last))
				.findFirst())
			.map(UnknownNames::question)
			.orElseGet(() -> this.names.ofRules().kinds().containsKey(last)
					? "Keys of a rule stand below its id, ratelimit.rules.<id>." + last
					: "Rules stand below ratelimit.rules.<id>; docs/reference.md lists all keys");
	}

	/** The names that have others below them. */
	private List<String> places() {
		return Stream
			.concat(Stream.of(SettingNames.RULES, SettingNames.DEFAULTS), this.names.chosen().keySet().stream())
			.toList();
	}

	private static boolean isSame(String one, String other) {
		return PropertyNames.uniform(one).equals(PropertyNames.uniform(other));
	}

}
