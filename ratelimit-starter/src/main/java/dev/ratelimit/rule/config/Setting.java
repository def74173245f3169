package dev.ratelimit.rule.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.spi.Problem;

import org.springframework.boot.origin.Origin;

/**
 * A value of one property source: one text, an indexed list, or several parts.
 *
 * @param source all values of the source, by their names
 * @param name its full name in canonical form
 * @param text its text as it was written; empty if it has parts
 * @param origin where it was written, or its first part
 */
record Setting(Map<String, Setting> source, String name, Optional<String> text, Origin origin) {

	private static final Pattern INDEX = Pattern.compile("\\[([0-9]{1,4})]");

	/**
	 * Assign the settings of a source to their meanings.
	 * @param written the settings
	 * @param names the known names
	 * @param findings collects unknown and contradictory settings
	 * @return the values, and all values that they are parts of, by their names
	 */
	static Map<String, Setting> of(List<WrittenSetting> written, SettingNames names, Findings findings) {
		UnknownNames unknown = new UnknownNames(names, findings);
		Map<String, Setting> source = new LinkedHashMap<>();
		for (WrittenSetting setting : written) {
			names.find(setting)
				.map((name) -> new Setting(source, name, Optional.of(setting.text()), setting.origin()))
				.ifPresentOrElse((known) -> known.add(findings), () -> unknown.refuse(setting));
		}
		source.values()
			.stream()
			.filter((setting) -> setting.text.isPresent())
			.forEach((setting) -> setting.requireReachable(findings));
		return source;
	}

	private void add(Findings findings) {
		Setting other = this.source.get(this.name);
		if (other != null && other.text.isPresent()) {
			misplaced("is written a second time in one source; the first is " + other.origin, "Keep one of the two",
					findings);
			return;
		}
		this.source.put(this.name, this);
		wholes().forEach((whole) -> this.source.putIfAbsent(whole,
				new Setting(this.source, whole, Optional.empty(), this.origin)));
	}

	/** The names of all values that this one is a part of. */
	private Stream<String> wholes() {
		return IntStream.range(0, this.name.length())
			.filter((end) -> this.name.charAt(end) == '.' || this.name.charAt(end) == '[')
			.mapToObj((end) -> this.name.substring(0, end));
	}

	/** Refuses settings that Boot would silently ignore. */
	private void requireReachable(Findings findings) {
		if (wholes().anyMatch(this::hasText)) {
			misplaced("is written both as one text and in parts in one source", "Keep one of the two", findings);
		}
		else if (INDEX.matcher(this.name).results().anyMatch(this::isAfterGap)) {
			misplaced("is never reached, because the element before it is missing",
					"Number the elements from 0 without gaps; a list is taken whole from one source", findings);
		}
	}

	private boolean isAfterGap(MatchResult index) {
		int before = Integer.parseInt(index.group(1)) - 1;
		return before >= 0 && !this.source.containsKey(this.name.substring(0, index.start()) + "[" + before + "]");
	}

	private boolean hasText(String name) {
		Setting setting = this.source.get(name);
		return setting != null && setting.text.isPresent();
	}

	private void misplaced(String reason, String cure, Findings findings) {
		findings.problem(new Problem(this.name, UnknownNames.shown(this.name, this.text.orElse("")),
				Optional.of(this.origin), reason, cure));
	}

	/**
	 * The elements of an indexed list.
	 * @return the elements, none if it is not indexed
	 */
	List<Setting> elements() {
		List<Setting> elements = new ArrayList<>();
		for (Setting next; (next = this.source.get(this.name + "[" + elements.size() + "]")) != null;) {
			elements.add(next);
		}
		return elements;
	}

	Optional<Setting> part(String key) {
		return Optional.ofNullable(this.source.get(this.name + "." + key));
	}

}
