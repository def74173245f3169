package dev.ratelimit.rule.source;

import java.util.Optional;
import java.util.function.Function;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Algorithm.Option;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.Refill;
import dev.ratelimit.rule.Rounding;

/**
 * Reads the keys of one rule that depend on its algorithm. An option that the rule itself
 * gives to an algorithm that does not know it is wrong; such a default is not used.
 */
final class OptionReader {

	private final KeyReader keys;

	private final Optional<Algorithm> algorithm;

	/**
	 * Create a reader.
	 * @param keys the keys of the rule
	 * @param algorithm its algorithm; empty if that is not known, and every option is
	 * read
	 */
	OptionReader(KeyReader keys, Optional<Algorithm> algorithm) {
		this.keys = keys;
		this.algorithm = algorithm;
	}

	void read(RLConfigBuilder rule) {
		one(Option.ROUNDING, Values.oneOf(Rounding.class)).ifPresent(rule::rounding);
		one(Option.REFILL, Values.oneOf(Refill.class)).ifPresent(rule::refill);
		one(Option.COUNT_REJECTED, Values::bool).ifPresent(rule::countRejected);
		this.keys.thresholds((burst) -> require(Option.BURST, burst)).ifPresent(rule::thresholds);
	}

	private <T> Optional<T> one(Option option, Function<String, T> converter) {
		return this.keys.one(option.text(), (text) -> {
			T value = converter.apply(text);
			// What is switched off goes with every algorithm.
			if (!Boolean.FALSE.equals(value) && this.keys.isOwn(option.text())) {
				require(option, text);
			}
			return value;
		}).filter((value) -> this.algorithm.stream().allMatch((known) -> known.takes(option)));
	}

	private void require(Option option, String value) {
		this.algorithm.ifPresent((known) -> known.require(option, value));
	}

}
