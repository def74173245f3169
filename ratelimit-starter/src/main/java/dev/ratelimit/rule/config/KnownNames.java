package dev.ratelimit.rule.config;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.ratelimit.rule.RuleKey;
import dev.ratelimit.rule.ValueKind;
import org.jspecify.annotations.Nullable;

/**
 * The names that are known at one place: a value, keys, an index, or names that the user
 * chooses. Together they are a tree, in which a written name is looked up.
 */
final class KnownNames {

	/** The keys of a rule, and the form of their values. */
	static final Map<String, ValueKind> OF_RULES = inOrder(
			Stream.of(RuleKey.values()).map((key) -> Map.entry(key.text(), key.kind())));

	/** The keys allowed under {@code ratelimit.defaults}. */
	static final Map<String, ValueKind> OF_DEFAULTS = inOrder(
			Stream.of(RuleKey.values()).filter(RuleKey::isDefault).map((key) -> Map.entry(key.text(), key.kind())));

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

	static final String PLANS = "plans";

	private static final Pattern INDEX = Pattern.compile("0|[1-9][0-9]{0,3}");

	private static final KnownNames TEXT = new KnownNames(true, null);

	private static final KnownNames LIST = new KnownNames(true, TEXT);

	private static final KnownNames THRESHOLDS = new KnownNames(true, new KnownNames(true, null).with(OF_THRESHOLDS));

	private static final KnownNames OVERRIDES = new KnownNames(false, ofKeys(OF_OVERRIDES));

	private static final KnownNames RULE = ofKeys(OF_RULES);

	private final boolean isValue;

	private final @Nullable KnownNames element;

	private final @Nullable Supplier<KnownNames> belowChosen;

	/** Further children. */
	private final @Nullable KnownNames base;

	/** By the uniform spelling of their names, in the order of their declaration. */
	private final Map<String, Child> children = new LinkedHashMap<>();

	private KnownNames(boolean isValue, @Nullable KnownNames element) {
		this(isValue, element, null, null);
	}

	private KnownNames(boolean isValue, @Nullable KnownNames element, @Nullable Supplier<KnownNames> belowChosen,
			@Nullable KnownNames base) {
		this.isValue = isValue;
		this.element = element;
		this.belowChosen = belowChosen;
		this.base = base;
	}

	/**
	 * Names below keys.
	 * @param keys the keys, which may have several elements, and the form of their values
	 * @return the names
	 */
	static KnownNames ofKeys(Map<String, ValueKind> keys) {
		return new KnownNames(false, null).with(keys);
	}

	/**
	 * Names that the user chooses.
	 * @param below creates the names below one of them
	 * @return the names
	 */
	static KnownNames ofChosen(Supplier<KnownNames> below) {
		return new KnownNames(false, null, below, null);
	}

	/**
	 * The names of one rule.
	 * @return its keys; its plans are declared
	 */
	static KnownNames ofRule() {
		return new KnownNames(false, null, null, RULE).with(PLANS, ofChosen(() -> THRESHOLDS));
	}

	private static KnownNames of(ValueKind kind) {
		return switch (kind) {
			case TEXT, NUMBER -> TEXT;
			case LIST -> LIST;
			case THRESHOLDS -> THRESHOLDS;
			case PLANS -> ofChosen(() -> THRESHOLDS);
			case OVERRIDES -> OVERRIDES;
		};
	}

	private KnownNames with(Map<String, ValueKind> keys) {
		keys.forEach((key, kind) -> with(key, of(kind)));
		return this;
	}

	/**
	 * Add a name.
	 * @param name the name, which may have several elements
	 * @param below the names below it
	 * @return these names
	 */
	KnownNames with(String name, KnownNames below) {
		int dot = name.indexOf('.');
		if (dot < 0) {
			this.children.put(PropertyNames.uniform(name), new Child(name, below));
		}
		else {
			String group = name.substring(0, dot);
			this.children.computeIfAbsent(PropertyNames.uniform(group), (uniform) -> new Child(group, ofKeys(Map.of())))
				.below()
				.with(name.substring(dot + 1), below);
		}
		return this;
	}

	/**
	 * Declare a name that the user chose.
	 * @param name the name; if it is declared in another spelling, that one is kept
	 * @return the names below it
	 */
	KnownNames declare(String name) {
		return this.children
			.computeIfAbsent(PropertyNames.uniform(name),
					(uniform) -> new Child(name, Objects.requireNonNull(this.belowChosen).get()))
			.below();
	}

	/**
	 * The names that the user chose.
	 * @return the names, in the order of their declaration
	 */
	Collection<String> declared() {
		return this.children.values().stream().map(Child::name).toList();
	}

	/**
	 * The names below a name.
	 * @param name the name, which is known
	 * @return the names below it
	 */
	KnownNames below(String name) {
		return Objects.requireNonNull(this.children.get(PropertyNames.uniform(name))).below();
	}

	/**
	 * Find the meaning of a written name. An environment variable may split an element at
	 * each dash; of two meanings it has the one with the longest elements. It also
	 * declares the names of rules and plans, if they have no dash.
	 * @param setting the setting
	 * @param from the first element to look up
	 * @return the canonical form of the name from there on, if it is known
	 */
	Optional<String> find(WrittenSetting setting, int from) {
		List<String> elements = setting.elements();
		if (from == elements.size()) {
			return this.isValue ? Optional.of("") : Optional.empty();
		}
		for (int next = setting.isVariable() ? elements.size() : from + 1; next > from; next--) {
			Child child = child(PropertyNames.uniform(String.join("", elements.subList(from, next))));
			if (child != null) {
				Optional<String> rest = child.below().find(setting, next).map((text) -> "." + child.name() + text);
				if (rest.isPresent()) {
					return rest;
				}
			}
		}
		return findOther(setting, from, elements.get(from));
	}

	private @Nullable Child child(String uniform) {
		Child own = this.children.get(uniform);
		return (own == null && this.base != null) ? this.base.child(uniform) : own;
	}

	/** An index, or a name that the user chose. */
	private Optional<String> findOther(WrittenSetting setting, int from, String name) {
		if (this.element != null && isIndex(name)) {
			return this.element.find(setting, from + 1).map((rest) -> "[" + name + "]" + rest);
		}
		if (this.belowChosen == null) {
			return Optional.empty();
		}
		KnownNames below = this.belowChosen.get();
		Optional<String> rest = below.find(setting, from + 1);
		if (setting.isVariable() && rest.isPresent() && setting.isBelow(SettingNames.RULES)) {
			this.children.put(PropertyNames.uniform(name), new Child(name, below));
		}
		return rest.map((text) -> "." + name + text);
	}

	static boolean isIndex(String element) {
		return INDEX.matcher(element).matches();
	}

	private static Map<String, ValueKind> inOrder(Stream<Map.Entry<String, ValueKind>> keys) {
		Map<String, ValueKind> kinds = new LinkedHashMap<>();
		keys.forEach((key) -> kinds.put(key.getKey(), key.getValue()));
		return kinds;
	}

	/**
	 * A name.
	 *
	 * @param name its canonical spelling
	 * @param below the names below it
	 */
	private record Child(String name, KnownNames below) {

	}

}
