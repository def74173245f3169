package dev.ratelimit.rule.source;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.OnLimit.OnLimitKind;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.RuleKey;
import dev.ratelimit.rule.RuleKey.Group;
import dev.ratelimit.rule.RuleKeys;
import dev.ratelimit.rule.ValueKind;

/**
 * Reads the keys of one rule that the catalogue can read. A key of the rule itself that
 * does not apply to it is an error; such a default is ignored.
 */
final class CatalogueReader {

	/** In the order in which defaults take precedence. */
	static final List<RuleKey<?>> CHOICES = List.of(RuleKeys.COUNT_REJECTED, RuleKeys.COUNT_ON, RuleKeys.MODE,
			RuleKeys.SCOPE, RuleKeys.ON_LIMIT);

	private final KeyReader keys;

	private final Optional<Algorithm> algorithm;

	/**
	 * Create a reader.
	 * @param keys the keys of the rule
	 * @param algorithm its algorithm; empty if it is unknown, and every key applies that
	 * applies to some algorithm
	 */
	CatalogueReader(KeyReader keys, Optional<Algorithm> algorithm) {
		this.keys = keys;
		this.algorithm = algorithm;
	}

	/**
	 * Read the keys that go with every other key.
	 * @param rule the builder that receives them
	 */
	void readPlain(RLConfigBuilder rule) {
		readAll(Group.PLAIN, rule);
	}

	/**
	 * Read the keys that do not go with every other key.
	 * @param rule the builder that receives them, with its algorithm
	 */
	void readOthers(RLConfigBuilder rule) {
		readAll(Group.ALGORITHM_OPTION, rule);
		readChoices(rule);
		readAll(Group.OPTION, rule);
	}

	private void readAll(Group group, RLConfigBuilder rule) {
		RuleKeys.ALL.stream().filter((key) -> key.group() == group).forEach((key) -> read(key, rule));
	}

	/** A default is ignored if it contradicts the rule itself, or a default before it. */
	private void readChoices(RLConfigBuilder rule) {
		List<RuleKey<?>> read = new ArrayList<>(CHOICES.stream().filter((key) -> this.keys.isOwn(key.name())).toList());
		for (RuleKey<?> key : CHOICES) {
			if (!read.contains(key) && goTogether(read, key)) {
				read.add(key);
			}
		}
		read.forEach((key) -> read(key, rule));
	}

	private boolean goTogether(List<RuleKey<?>> choices, RuleKey<?> other) {
		return this.algorithm.isEmpty()
				|| contradiction(Stream.of(List.of(RuleKeys.STAGE), choices, List.of(other)).flatMap(List::stream))
					.isEmpty();
	}

	/**
	 * Find a contradiction between keys, each of which goes with the algorithm.
	 * @return the contradiction; empty if the keys go together, or the algorithm excludes
	 * one of them
	 */
	Optional<InvalidRuleException> contradiction() {
		boolean excludesOne = CHOICES.stream().anyMatch((key) -> contradiction(Stream.of(key)).isPresent());
		return excludesOne ? Optional.empty()
				: contradiction(Stream.concat(Stream.of(RuleKeys.STAGE), CHOICES.stream()));
	}

	private Optional<InvalidRuleException> contradiction(Stream<RuleKey<?>> choices) {
		RLConfigBuilder rule = RLConfig.builder("trial");
		this.algorithm.ifPresent(rule::algorithm);
		choices.forEach((key) -> read(key, rule));
		return RuleKeys.contradiction(rule);
	}

	private <E> void read(RuleKey<E> key, RLConfigBuilder rule) {
		this.keys.find(key.name())
			.ifPresent((setting) -> elements(key, setting, rule).filter((values) -> applies(key, rule))
				.ifPresent((values) -> this.keys.make(setting, () -> key.set(rule, values))));
	}

	private <E> Optional<List<E>> elements(RuleKey<E> key, Setting setting, RLConfigBuilder rule) {
		if (key.kind() == ValueKind.LIST) {
			return this.keys.many(setting, splitter(key), key::parse).flatMap((values) -> {
				String text = values.stream().map(String::valueOf).collect(Collectors.joining(", "));
				return this.keys.make(setting, () -> {
					requireApplicable(key, rule, text);
					return values;
				});
			});
		}
		return this.keys.one(setting, (text) -> {
			E value = key.parse(text);
			// A disabled option goes with every rule.
			if (!Boolean.FALSE.equals(value)) {
				requireApplicable(key, rule, text);
			}
			return List.of(value);
		});
	}

	private static Function<String, List<String>> splitter(RuleKey<?> key) {
		return key.equals(RuleKeys.PATHS) ? TextList::splitPaths : TextList::split;
	}

	private void requireApplicable(RuleKey<?> key, RLConfigBuilder rule, String text) {
		if (!this.keys.isOwn(key.name())) {
			return;
		}
		if (key.equals(RuleKeys.MAX_QUEUE) && isDelayingBucket()) {
			throw new InvalidRuleException(key.name(), text,
					"does not go with algorithm leaky-bucket, whose burst is the size of its queue",
					"Remove max-queue, and write the burst: thresholds: [{threshold: 1, window: 1s, burst: 3}]");
		}
		if (!applies(key, rule)) {
			throw key.misplaced(rule, text);
		}
	}

	private boolean isDelayingBucket() {
		return this.algorithm.filter(Algorithm::isBucket).isPresent()
				&& this.keys.one(RuleKeys.ON_LIMIT.name(), RuleKeys.ON_LIMIT::parse)
					.filter((kind) -> kind == OnLimitKind.DELAY)
					.isPresent();
	}

	private boolean applies(RuleKey<?> key, RLConfigBuilder rule) {
		if (key.equals(RuleKeys.REFUSAL_CONTENT_TYPE)) {
			return this.keys.isOwn(key.name()) || rule.hasRefusalBody();
		}
		return (this.algorithm.isEmpty() && key.isOfAlgorithm()) || key.appliesTo(rule);
	}

}
