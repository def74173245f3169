package dev.ratelimit.rule.source;

import java.util.Optional;
import java.util.function.Function;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Algorithm.Option;
import dev.ratelimit.rule.CountOn;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.Refill;
import dev.ratelimit.rule.Rounding;

/**
 * Reads the keys of one rule that are not compatible with every other key. An
 * incompatible key of the rule itself is an error; an incompatible default is ignored.
 */
final class OptionReader {

	private final KeyReader keys;

	private final Optional<Algorithm> algorithm;

	/**
	 * Create a reader.
	 * @param keys the keys of the rule
	 * @param algorithm its algorithm; empty if it is unknown, and every option is read
	 */
	OptionReader(KeyReader keys, Optional<Algorithm> algorithm) {
		this.keys = keys;
		this.algorithm = algorithm;
	}

	void read(RLConfigBuilder rule) {
		one(Option.ROUNDING, Values.oneOf(Rounding.class)).ifPresent(rule::rounding);
		one(Option.REFILL, Values.oneOf(Refill.class)).ifPresent(rule::refill);
		Optional<Boolean> countRejected = one(Option.COUNT_REJECTED, Values::bool);
		Optional<CountOn> countOn = countOn();
		ModeReader mode = new ModeReader(this.keys);
		OnLimitReader onLimit = new OnLimitReader(this.keys, this.algorithm);
		if (mode.isOwn() || onLimit.isOwn()) {
			countRejected = countRejected.filter((value) -> this.keys.isOwn(Option.COUNT_REJECTED.text()));
			countOn = countOn.filter((value) -> this.keys.isOwn("count-on"));
		}
		boolean everyTake = countRejected.orElse(false) || !countOn.orElse(CountOn.ALWAYS).isAlways();
		Mode read = mode.read(this.algorithm, everyTake || onLimit.isOwn());
		rule.mode(read);
		rule.onLimit(onLimit.read(!everyTake && read.kind() == Mode.ModeKind.STRICT));
		// Counted refusals have no outcome.
		boolean contradict = countRejected.orElse(false) && !countOn.orElse(CountOn.ALWAYS).isAlways();
		countRejected.filter((value) -> !contradict || !yields(Option.COUNT_REJECTED.text(), "count-on"))
			.ifPresent(rule::countRejected);
		countOn.filter((value) -> !contradict || !yields("count-on", Option.COUNT_REJECTED.text()))
			.ifPresent(rule::countOn);
	}

	private Optional<CountOn> countOn() {
		return this.keys.place("count-on")
			.flatMap((place) -> this.keys.values()
				.many(place, TextList::split, (text) -> CountOn.Statuses.valueOf(text.strip()))
				.flatMap((statuses) -> this.keys.values().make(place, () -> new CountOn(statuses))));
	}

	/** Whether a key is a default and another key is set in the rule itself. */
	private boolean yields(String key, String other) {
		return !this.keys.isOwn(key) && this.keys.isOwn(other);
	}

	private <T> Optional<T> one(Option option, Function<String, T> converter) {
		return this.keys.one(option.text(), (text) -> {
			T value = converter.apply(text);
			// A disabled option is compatible with every algorithm.
			if (!Boolean.FALSE.equals(value) && this.keys.isOwn(option.text())) {
				this.algorithm.ifPresent((known) -> known.require(option, text));
			}
			return value;
		}).filter((value) -> this.algorithm.stream().allMatch((known) -> known.takes(option)));
	}

}
