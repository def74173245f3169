package dev.ratelimit.rule.source;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The settings of one property source, by their canonical names.
 */
final class SourceSettings {

	/**
	 * All below an override but its thresholds may be its key, which may be an API key.
	 */
	private static final Pattern KEY_OF_OVERRIDE = Pattern
		.compile("(?i)\\boverrides(\\[\\d++]|\\.\\d++)(?!\\.thresholds)|\\boverrides\\.keys?\\b");

	private static final Pattern MEANT_THRESHOLDS = Pattern.compile("Did you mean (thresholds?|window|burst)\\b");

	private static final Pattern BEYOND_LIST = Pattern.compile("\\[[1-9][0-9]{4,}]");

	private static final Pattern INDEX = Pattern.compile("\\[([0-9]{1,4})]");

	private final Map<String, Setting> settings = new LinkedHashMap<>();

	/** The first part of each value that has parts. */
	private final Map<String, Setting> firstParts = new HashMap<>();

	/**
	 * Assign the settings of a source to their meanings.
	 * @param written the settings
	 * @param names the known names
	 * @param rules the names of rules and plans
	 * @param findings collects unknown and contradictory settings
	 */
	SourceSettings(List<WrittenSetting> written, SettingNames names, RuleNames rules, Findings findings) {
		for (WrittenSetting setting : written) {
			Optional<String> name = names.canonical(setting.name(), rules);
			if (name.isPresent()) {
				add(new Setting(name.get(), setting.text(), setting.origin()), findings);
			}
			else {
				refuse(setting, names, findings);
			}
		}
		this.settings.values().forEach((setting) -> requireReachable(setting, findings));
	}

	private void add(Setting setting, Findings findings) {
		Setting other = this.settings.putIfAbsent(setting.name(), setting);
		if (other != null) {
			misplaced(setting, "is written a second time in one source; the first is " + other.origin(),
					"Keep one of the two", findings);
			return;
		}
		String name = setting.name();
		for (int i = 0; i < name.length(); i++) {
			if (name.charAt(i) == '.' || name.charAt(i) == '[') {
				this.firstParts.putIfAbsent(name.substring(0, i), setting);
			}
		}
	}

	private static void refuse(WrittenSetting setting, SettingNames names, Findings findings) {
		Optional<String> absence = names.absence(setting.name());
		if (setting.name().environmentVariable()) {
			findings.warning("The environment variable " + setting.spelling() + " "
					+ absence.orElse("looks like a setting of the rate limiter but belongs to none")
					+ ", and is ignored. " + names.cure(setting.name()));
			return;
		}
		if (BEYOND_LIST.matcher(setting.spelling()).find()) {
			misplaced(new Setting(setting.spelling(), setting.text(), setting.origin()),
					"is beyond the last element that a list may have",
					"Keep at most 10000 elements; a plan takes any number of customers", findings);
			return;
		}
		String cure = names.cure(setting.name());
		boolean isKey = KEY_OF_OVERRIDE.matcher(setting.spelling()).find() && !MEANT_THRESHOLDS.matcher(cure).find();
		findings.problem(new Problem(setting.spelling(), isKey ? Problem.MASK : setting.text(),
				Optional.of(setting.origin()),
				absence.orElse(setting.text().isBlank() ? "is empty" : "belongs to no key of this version"), cure));
	}

	/** A finding about where a known setting stands. */
	private static void misplaced(Setting setting, String reason, String cure, Findings findings) {
		boolean isKey = KEY_OF_OVERRIDE.matcher(setting.name()).find();
		findings.problem(new Problem(setting.name(), isKey ? Problem.MASK : setting.text(),
				Optional.of(setting.origin()), reason, cure));
	}

	/** Refuses settings that Boot would silently ignore. */
	private void requireReachable(Setting setting, Findings findings) {
		Matcher matcher = INDEX.matcher(setting.name());
		while (matcher.find()) {
			String list = setting.name().substring(0, matcher.start());
			String element = setting.name().substring(0, matcher.end());
			int index = Integer.parseInt(matcher.group(1));
			if (this.settings.containsKey(list)
					|| (element.length() < setting.name().length() && this.settings.containsKey(element))) {
				misplaced(setting, "is written both as one text and in parts in one source", "Keep one of the two",
						findings);
			}
			else if (index > 0 && !contains(list + "[" + (index - 1) + "]")) {
				misplaced(setting, "is never reached, because the element before it is missing",
						"Number the elements from 0 without gaps; a list is taken whole from one source", findings);
			}
		}
	}

	/**
	 * Whether this source has a value, or parts of one.
	 * @param name a canonical name
	 * @return whether it has
	 */
	boolean contains(String name) {
		return this.settings.containsKey(name) || first(name).isPresent();
	}

	Optional<Setting> find(String name) {
		return Optional.ofNullable(this.settings.get(name));
	}

	/**
	 * The names of the elements of an indexed list.
	 * @param list the name of the list
	 * @return the names, none if the list is not indexed here
	 */
	List<String> elements(String list) {
		List<String> elements = new ArrayList<>();
		for (String element = list + "[0]"; contains(element); element = list + "[" + elements.size() + "]") {
			elements.add(element);
		}
		return elements;
	}

	/**
	 * A part of a value, to show where it was written.
	 * @param name the canonical name of the value, or of a rule
	 * @return its first part here
	 */
	Optional<Setting> first(String name) {
		return Optional.ofNullable(this.firstParts.get(name));
	}

}
