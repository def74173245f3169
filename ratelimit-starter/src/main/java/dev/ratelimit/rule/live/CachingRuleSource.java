package dev.ratelimit.rule.live;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.rule.RuleSource;

/**
 * Parses rules only when their content has changed. For the same content it repeats the
 * previous result, including errors.
 *
 * @param <C> the content, which must define equality
 */
final class CachingRuleSource<C> implements RuleSource {

	private final Supplier<C> content;

	private final Function<C, RuleSet> reader;

	private volatile Optional<Reading<C>> last = Optional.empty();

	CachingRuleSource(Supplier<C> content, Function<C, RuleSet> reader) {
		this.content = content;
		this.reader = reader;
	}

	@Override
	public RuleSet load() {
		C now = this.content.get();
		Reading<C> reading = this.last.filter((before) -> before.content().equals(now)).orElseGet(() -> read(now));
		this.last = Optional.of(reading);
		return reading.rules().get();
	}

	private Reading<C> read(C now) {
		try {
			RuleSet rules = this.reader.apply(now);
			return new Reading<>(now, () -> rules);
		}
		catch (IllegalArgumentException ex) {
			return new Reading<>(now, () -> {
				throw ex;
			});
		}
	}

	private record Reading<C>(C content, Supplier<RuleSet> rules) {
	}

}
