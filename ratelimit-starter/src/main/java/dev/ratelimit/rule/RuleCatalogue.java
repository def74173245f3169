package dev.ratelimit.rule;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.rule.OnLimit.OnLimitKind;
import dev.ratelimit.rule.RuleScope.ScopeKind;

/**
 * The keys that rules may have, in the order in which they are listed and shown: those of
 * the starter, and those of the modules of an application.
 */
public final class RuleCatalogue {

	private static final List<OpenChoice> OWN = Stream
		.concat(Arrays.stream(ScopeKind.values()), Arrays.stream(OnLimitKind.values()))
		.map(OpenChoice.class::cast)
		.toList();

	/** Without modules. */
	public static final RuleCatalogue STARTER = new RuleCatalogue(List.of(), (value) -> Optional.empty());

	private final List<OpenChoice> choices;

	private final List<RuleOption> options;

	private final Function<String, Optional<AbsentModule>> absent;

	/**
	 * Create a catalogue.
	 * @param added the values of {@code on-limit} and {@code scope} that modules add
	 * @param absent finds the module, not on the class path, of another value, such as
	 * {@code on-limit.enqueue}
	 */
	public RuleCatalogue(List<? extends OpenChoice> added, Function<String, Optional<AbsentModule>> absent) {
		this.choices = Stream.concat(OWN.stream(), added.stream()).toList();
		this.options = ordered((key) -> choices(key).flatMap((choice) -> choice.options().stream()));
		this.absent = absent;
	}

	/** A key stands behind the value of another one that it goes with. */
	private static List<RuleOption> ordered(Function<RuleKey, Stream<RuleOption>> optionsOf) {
		Set<RuleOption> ofChoices = OWN.stream()
			.flatMap((choice) -> choice.options().stream())
			.collect(Collectors.toSet());
		Set<RuleOption> ordered = new LinkedHashSet<>();
		for (RuleKey key : RuleKey.values()) {
			if (!ofChoices.contains(key)) {
				ordered.add(key);
				optionsOf.apply(key).forEach(ordered::add);
			}
		}
		return List.copyOf(ordered);
	}

	/**
	 * The values of {@code on-limit} or {@code scope}.
	 * @param key one of the two
	 * @return those of the starter, and those of modules
	 */
	public Stream<OpenChoice> choices(RuleKey key) {
		return this.choices.stream().filter((choice) -> choice.key() == key);
	}

	/**
	 * All keys.
	 * @return the keys
	 */
	public List<RuleOption> options() {
		return this.options;
	}

	/**
	 * The keys that may apply to a rule.
	 * @param rule the rule
	 * @return those of the starter, and those of its scope and of its value of
	 * {@code on-limit}
	 */
	public static List<RuleOption> optionsOf(RLConfig rule) {
		return ordered((key) -> switch (key) {
			case SCOPE -> rule.counting().scope().kind().options().stream();
			case ON_LIMIT -> rule.enforcement().onLimit().kind().options().stream();
			default -> Stream.empty();
		});
	}

	/**
	 * Read the value of a key, or one element of it if it is a list.
	 * @param option the key
	 * @param text the text
	 * @return the value
	 * @throws InvalidRuleException if the text is wrong
	 */
	public Object parse(RuleOption option, String text) {
		if (option != RuleKey.SCOPE && option != RuleKey.ON_LIMIT) {
			return option.parse(text);
		}
		Optional<OpenChoice> found = choices((RuleKey) option)
			.filter((choice) -> Values.uniform(choice.text()).equals(Values.uniform(text)))
			.findFirst();
		return found.orElseThrow(() -> {
			Optional<AbsentModule> owner = this.absent.apply(option.text() + "." + text);
			return new InvalidRuleException("", text, owner.map(AbsentModule::reason).orElse("is not known"),
					owner.map(AbsentModule::cure)
						.orElseGet(() -> "Use "
								+ choices((RuleKey) option).map(RuleChoice::text).collect(Collectors.joining(", "))));
		});
	}

	/**
	 * The values of other keys, without one of which a key does not apply.
	 * @param option the key
	 * @return the values; empty if it always applies
	 */
	List<? extends RuleChoice> owners(RuleOption option) {
		return (option instanceof RuleKey key && !key.owners().isEmpty()) ? key.owners()
				: this.choices.stream().filter((choice) -> choice.options().contains(option)).toList();
	}

	/**
	 * The group in which a key is read.
	 * @param option the key
	 * @return the group
	 */
	public Group group(RuleOption option) {
		if (option instanceof RuleKey key) {
			switch (key) {
				case COUNT_REJECTED, COUNT_ON, MODE, SCOPE, ON_LIMIT -> {
					return Group.CHOICE;
				}
				case THRESHOLDS, PLAN_KEY, PLANS, OVERRIDES -> {
					return Group.ALLOWANCE;
				}
				default -> {
				}
			}
		}
		return owners(option).isEmpty() ? Group.PLAIN : Group.OPTION;
	}

	/**
	 * The groups in which keys are read, one after the other.
	 */
	public enum Group {

		/** Each goes with every other key. */
		PLAIN,

		/**
		 * Those that restrict each other. {@code CatalogueReader} lists them, in the
		 * order in which defaults take precedence.
		 */
		CHOICE,

		/**
		 * Each applies to some algorithms, modes, scopes or values of {@code on-limit}
		 * only.
		 */
		OPTION,

		/** What clients are allowed, which needs a reader of its own. */
		ALLOWANCE

	}

}
