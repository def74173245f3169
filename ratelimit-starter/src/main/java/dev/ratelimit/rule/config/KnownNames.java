package dev.ratelimit.rule.config;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.rule.RuleOption;
import dev.ratelimit.rule.ValueKind;

/**
 * The keys that are known at one place, and the form of their values. A written name is
 * given as its elements, which may be spelled in any way and split at each dash.
 */
final class KnownNames {

	/** The keys of a threshold in its long form. */
	static final KnownNames OF_THRESHOLDS = new KnownNames(
			Stream.of("threshold", "window", "burst").map((key) -> Map.entry(key, ValueKind.TEXT)));

	/** The keys of an override. */
	static final KnownNames OF_OVERRIDES = new KnownNames(
			Stream.of(Map.entry("key", ValueKind.LIST), Map.entry("thresholds", ValueKind.THRESHOLDS)));

	private static final Pattern INDEX = Pattern.compile("0|[1-9][0-9]{0,3}");

	private final Map<String, ValueKind> kinds = new LinkedHashMap<>();

	private final Map<String, String> spellings = new HashMap<>();

	KnownNames(Stream<Map.Entry<String, ValueKind>> keys) {
		keys.forEach((key) -> {
			this.kinds.put(key.getKey(), key.getValue());
			this.spellings.put(PropertyNames.uniform(key.getKey().replace(".", "")), key.getKey());
		});
	}

	/** The keys of a rule. */
	static KnownNames ofKeys(Stream<RuleOption> keys) {
		return new KnownNames(keys.map((key) -> Map.entry(key.text(), key.kind())));
	}

	/**
	 * The keys.
	 * @return the form of their values, by their canonical names
	 */
	Map<String, ValueKind> kinds() {
		return this.kinds;
	}

	Stream<String> find(List<String> written) {
		return find(written, Map.of());
	}

	/**
	 * Find the keys and the parts of their values that a name may mean.
	 * @param written the elements of the name
	 * @param plans the names of the plans, by their uniform spelling
	 * @return the canonical names, those with the longest elements first
	 */
	Stream<String> find(List<String> written, Map<String, String> plans) {
		return find(written, this.spellings,
				(key, rest) -> findPart(Objects.requireNonNull(this.kinds.get(key)), rest, plans));
	}

	private static Stream<String> findPart(ValueKind kind, List<String> written, Map<String, String> plans) {
		boolean mayBeText = kind != ValueKind.PLANS && kind != ValueKind.OVERRIDES;
		if (written.isEmpty()) {
			return mayBeText ? Stream.of("") : Stream.empty();
		}
		return switch (kind) {
			case TEXT, NUMBER -> Stream.empty();
			case LIST -> findElement(written, (rest) -> findPart(ValueKind.TEXT, rest, plans));
			case THRESHOLDS -> findElement(written,
					(rest) -> Stream.concat(findPart(ValueKind.TEXT, rest, plans), OF_THRESHOLDS.find(rest, plans)));
			case PLANS -> findChosen(written, plans, (plan, rest) -> findPart(ValueKind.THRESHOLDS, rest, plans));
			case OVERRIDES -> findElement(written, (rest) -> OF_OVERRIDES.find(rest, plans));
		};
	}

	private static Stream<String> findElement(List<String> written, Function<List<String>, Stream<String>> part) {
		String index = written.get(0);
		return isIndex(index) ? part.apply(written.subList(1, written.size())).map(("[" + index + "]")::concat)
				: Stream.empty();
	}

	static boolean isIndex(String element) {
		return INDEX.matcher(element).matches();
	}

	/**
	 * Find names that the user chose. One that is not declared has one element.
	 * @param written the elements of a name
	 * @param declared the declared names, by their uniform spelling
	 * @param below finds the rest of the name below a chosen one
	 * @return the canonical names, the declared ones first
	 */
	static Stream<String> findChosen(List<String> written, Map<String, String> declared,
			BiFunction<String, List<String>, Stream<String>> below) {
		return Stream.concat(find(written, declared, below), written.stream()
			.limit(1)
			.flatMap((name) -> below.apply(name, written.subList(1, written.size())).map(("." + name)::concat)));
	}

	private static Stream<String> find(List<String> written, Map<String, String> names,
			BiFunction<String, List<String>, Stream<String>> below) {
		return IntStream.range(0, written.size()).mapToObj((i) -> written.size() - i).flatMap((end) -> {
			String name = names.get(PropertyNames.uniform(String.join("", written.subList(0, end))));
			return (name != null) ? below.apply(name, written.subList(end, written.size())).map(("." + name)::concat)
					: Stream.empty();
		});
	}

}
