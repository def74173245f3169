package dev.ratelimit.rule.source;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.rule.RuleKey;
import dev.ratelimit.rule.RuleKeys;
import dev.ratelimit.rule.ValueKind;

/**
 * Finds keys in the names of settings, and the values allowed below each of them.
 */
final class KeyNames {

	/** The keys of a rule, and the form of their values. */
	static final Map<String, ValueKind> OF_RULES = inOrder(
			RuleKeys.ALL.stream().map((key) -> Map.entry(key.name(), key.kind())));

	/** The keys allowed under {@code ratelimit.defaults}. */
	static final Map<String, ValueKind> OF_DEFAULTS = inOrder(
			RuleKeys.ALL.stream().filter(RuleKey::isDefault).map((key) -> Map.entry(key.name(), key.kind())));

	/** The keys of a threshold in its long form. */
	static final Map<String, ValueKind> OF_THRESHOLDS = inOrder(
			Stream.of("threshold", "window", "burst").map((key) -> Map.entry(key, ValueKind.TEXT)));

	/** The keys of an override. */
	static final Map<String, ValueKind> OF_OVERRIDES = inOrder(
			Stream.of(Map.entry("key", ValueKind.LIST), Map.entry("thresholds", ValueKind.THRESHOLDS)));

	/** The keys of outbound calls. */
	static final Map<String, ValueKind> OF_CLIENTS = inOrder(
			Stream.of(Map.entry("rule", ValueKind.TEXT), Map.entry("hosts", ValueKind.LIST),
					Map.entry("key", ValueKind.TEXT), Map.entry("max-wait", ValueKind.TEXT)));

	/** The keys of another data centre, which are those of {@code spring.data.redis}. */
	static final Map<String, ValueKind> OF_PEERS = inOrder(Stream.of(Map.entry("host", ValueKind.TEXT),
			Map.entry("port", ValueKind.NUMBER), Map.entry("database", ValueKind.NUMBER),
			Map.entry("url", ValueKind.TEXT), Map.entry("username", ValueKind.TEXT),
			Map.entry("password", ValueKind.TEXT), Map.entry("ssl.enabled", ValueKind.TEXT),
			Map.entry("ssl.bundle", ValueKind.TEXT), Map.entry("cluster.nodes", ValueKind.LIST),
			Map.entry("sentinel.master", ValueKind.TEXT), Map.entry("sentinel.nodes", ValueKind.LIST),
			Map.entry("sentinel.username", ValueKind.TEXT), Map.entry("sentinel.password", ValueKind.TEXT)));

	/** What other limiters call thresholds. */
	private static final Set<String> LIMITS = Set.of("limit", "limits", "rate", "rates", "quota");

	private static final Pattern INDEX = Pattern.compile("0|[1-9][0-9]{0,3}");

	private KeyNames() {
	}

	private static Map<String, ValueKind> inOrder(Stream<Map.Entry<String, ValueKind>> keys) {
		Map<String, ValueKind> kinds = new LinkedHashMap<>();
		keys.forEach((key) -> kinds.put(key.getKey(), key.getValue()));
		return kinds;
	}

	/**
	 * Find a key in a name.
	 * @param name the name
	 * @param from where the key must start, or {@link WrittenName#NONE}
	 * @param keys the keys allowed there
	 * @param plans the known plans
	 * @return the key in canonical form, with all elements below it
	 */
	static Optional<String> find(WrittenName name, int from, Map<String, ValueKind> keys, Collection<String> plans) {
		if (from == WrittenName.NONE) {
			return Optional.empty();
		}
		for (Map.Entry<String, ValueKind> key : keys.entrySet()) {
			int next = name.after(from, key.getKey());
			Optional<String> tail = (next == WrittenName.NONE) ? Optional.empty()
					: tail(name, next, key.getValue(), plans);
			if (tail.isPresent()) {
				return tail.map((text) -> key.getKey() + text);
			}
		}
		return Optional.empty();
	}

	/**
	 * Whether a name continues like the thresholds of a plan.
	 * @param name the name
	 * @param from the element after the plan, or {@link WrittenName#NONE}
	 * @return whether it does
	 */
	static boolean isPlan(WrittenName name, int from) {
		return from != WrittenName.NONE && tail(name, from, ValueKind.THRESHOLDS, List.of()).isPresent();
	}

	private static Optional<String> tail(WrittenName name, int from, ValueKind form, Collection<String> plans) {
		return switch (form) {
			case TEXT, NUMBER -> end(name, from);
			case LIST -> end(name, from).or(() -> element(name, from, (next) -> end(name, next)));
			case THRESHOLDS -> end(name, from)
				.or(() -> element(name, from, (next) -> end(name, next).or(() -> part(name, next, OF_THRESHOLDS))));
			case PLANS -> plan(name, from, plans);
			case OVERRIDES -> element(name, from, (next) -> part(name, next, OF_OVERRIDES));
		};
	}

	private static Optional<String> end(WrittenName name, int from) {
		return name.rest(from).isEmpty() ? Optional.of("") : Optional.empty();
	}

	private static Optional<String> element(WrittenName name, int from, IntFunction<Optional<String>> rest) {
		return name.rest(from)
			.stream()
			.findFirst()
			.filter((index) -> INDEX.matcher(index).matches())
			.flatMap((index) -> rest.apply(from + 1).map((text) -> "[" + index + "]" + text));
	}

	private static Optional<String> part(WrittenName name, int from, Map<String, ValueKind> keys) {
		return find(name, from, keys, List.of()).map((text) -> "." + text);
	}

	/**
	 * In a variable, {@code paid_2} is preferably a plan, and otherwise an element of
	 * another plan.
	 */
	private static Optional<String> plan(WrittenName name, int from, Collection<String> plans) {
		return plans.stream()
			.sorted(Comparator.comparing(String::length).reversed())
			.filter((plan) -> isPlan(name, name.after(from, plan)))
			.findFirst()
			.flatMap((plan) -> tail(name, name.after(from, plan), ValueKind.THRESHOLDS, List.of())
				.map((text) -> "." + plan + text))
			.or(() -> name.rest(from)
				.stream()
				.findFirst()
				.flatMap((plan) -> tail(name, from + 1, ValueKind.THRESHOLDS, List.of())
					.map((text) -> "." + plan + text)));
	}

	/**
	 * Suggest the intended name for an unknown one.
	 * @param written its elements from the key on, at least one
	 * @param keys the keys allowed there
	 * @return a sentence
	 */
	static String cure(List<String> written, Map<String, ValueKind> keys) {
		ValueKind form = keys.get(written.get(0));
		if (form == null) {
			boolean isGroup = keys.keySet().stream().anyMatch((key) -> key.startsWith(written.get(0) + "."));
			String name = written.stream().limit(isGroup ? 2 : 1).collect(Collectors.joining("."));
			ValueKind ofGroup = keys.get(name);
			return (ofGroup != null) ? ofGroup.cure(name) : cure(name, keys.keySet());
		}
		List<String> below = written.stream().skip((form == ValueKind.PLANS) ? 2 : 1).toList();
		boolean isPart = below.size() > 1 && INDEX.matcher(below.get(0)).matches();
		if (isPart && form == ValueKind.OVERRIDES) {
			return cure(below.subList(1, below.size()), OF_OVERRIDES);
		}
		if (isPart && (form == ValueKind.THRESHOLDS || form == ValueKind.PLANS)) {
			return cure(below.subList(1, below.size()), OF_THRESHOLDS);
		}
		return form.cure(written.get(0));
	}

	static String cure(String name, Collection<String> candidates) {
		if (name.equals("burst") && !candidates.contains(name)) {
			return "Each threshold has its own: write thresholds: [{threshold: 5, window: 1m, burst: 10}]";
		}
		Optional<String> meant = LIMITS.contains(name) ? Optional.of("thresholds").filter(candidates::contains)
				: PropertyNames.nearest(name, candidates);
		return meant.map((key) -> "Did you mean " + key + "?")
			.orElseGet(() -> "The keys here are " + String.join(", ", candidates));
	}

}
