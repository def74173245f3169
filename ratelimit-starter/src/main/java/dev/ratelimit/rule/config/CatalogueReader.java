package dev.ratelimit.rule.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.RuleCatalogue;
import dev.ratelimit.rule.RuleCatalogue.Group;
import dev.ratelimit.rule.RuleKey;
import dev.ratelimit.rule.RuleOption;
import dev.ratelimit.rule.RuleValues;
import dev.ratelimit.rule.ValueKind;

/**
 * Reads the keys of one rule that need no reader of their own. A key of the rule itself
 * that does not apply to it is an error; such a default is ignored. As long as the values
 * have no algorithm, every key applies that applies to some algorithm.
 */
final class CatalogueReader {

	/** In the order in which defaults take precedence. */
	static final List<RuleKey> CHOICES = List.of(RuleKey.COUNT_REJECTED, RuleKey.COUNT_ON, RuleKey.MODE, RuleKey.SCOPE,
			RuleKey.ON_LIMIT);

	private final RuleCatalogue catalogue;

	private final KeyReader keys;

	/**
	 * Create a reader.
	 * @param catalogue the keys that rules may have
	 * @param keys the keys of the rule
	 */
	CatalogueReader(RuleCatalogue catalogue, KeyReader keys) {
		this.catalogue = catalogue;
		this.keys = keys;
	}

	/**
	 * Read the keys that go with every other key.
	 * @param rule receives their values
	 */
	void readPlain(RuleValues rule) {
		readAll(Group.PLAIN, rule);
	}

	/**
	 * Read the keys that do not go with every other key.
	 * @param rule receives their values, and has the algorithm if it is known
	 */
	void readOthers(RuleValues rule) {
		readChoices(rule);
		readAll(Group.OPTION, rule);
	}

	private void readAll(Group group, RuleValues rule) {
		for (RuleOption key : this.catalogue.options()) {
			if (this.catalogue.group(key) == group) {
				read(key, rule);
			}
		}
	}

	/** A default is ignored if it contradicts the rule itself, or a default before it. */
	private void readChoices(RuleValues rule) {
		List<RuleKey> read = new ArrayList<>(CHOICES.stream().filter((key) -> this.keys.isOwn(key.text())).toList());
		for (RuleKey key : CHOICES) {
			if (!read.contains(key) && goTogether(read, key, rule)) {
				read.add(key);
			}
		}
		read.forEach((key) -> read(key, rule));
	}

	private boolean goTogether(List<RuleKey> choices, RuleKey other, RuleValues rule) {
		Stream<RuleKey> all = Stream.of(List.of(RuleKey.STAGE), choices, List.of(other)).flatMap(List::stream);
		return rule.algorithm().flatMap((algorithm) -> contradiction(all, algorithm)).isEmpty();
	}

	/**
	 * Find a contradiction between keys, each of which goes with an algorithm.
	 * @param algorithm the algorithm
	 * @return the contradiction; empty if the keys go together, or the algorithm excludes
	 * one of them
	 */
	Optional<InvalidRuleException> contradiction(Algorithm algorithm) {
		boolean excludesOne = CHOICES.stream().anyMatch((key) -> contradiction(Stream.of(key), algorithm).isPresent());
		return excludesOne ? Optional.empty()
				: contradiction(Stream.concat(Stream.of(RuleKey.STAGE), CHOICES.stream()), algorithm);
	}

	private Optional<InvalidRuleException> contradiction(Stream<RuleKey> choices, Algorithm algorithm) {
		RuleValues trial = new RuleValues(this.catalogue).put(RuleKey.ALGORITHM, List.of(algorithm));
		choices.forEach((key) -> read(key, trial));
		return trial.contradiction();
	}

	private void read(RuleOption key, RuleValues rule) {
		this.keys.find(key.text())
			.ifPresent((setting) -> elements(key, setting).ifPresent((values) -> this.keys.make(setting, () -> {
				// A disabled option goes with every rule.
				if (this.keys.isOwn(key.text()) && !values.equals(List.of(false))) {
					rule.requireTakes(key, text(key, setting, values));
				}
				return rule.takes(key) ? rule.put(key, values) : rule;
			})));
	}

	private Optional<List<Object>> elements(RuleOption key, Setting setting) {
		Function<String, Object> parser = (text) -> this.catalogue.parse(key, text);
		return (key.kind() == ValueKind.LIST) ? this.keys.many(setting, splitter(key), parser)
				: this.keys.one(setting, parser).map(List::of);
	}

	private static Function<String, List<String>> splitter(RuleOption key) {
		return (key == RuleKey.PATHS) ? TextList::splitPaths : TextList::split;
	}

	private String text(RuleOption key, Setting setting, List<Object> values) {
		return (key.kind() == ValueKind.LIST) ? values.stream().map(String::valueOf).collect(Collectors.joining(", "))
				: this.keys.one(setting, (text) -> text).orElseThrow();
	}

}
