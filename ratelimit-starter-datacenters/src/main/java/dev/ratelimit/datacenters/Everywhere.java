package dev.ratelimit.datacenters;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Counting;
import dev.ratelimit.rule.CoveredRequests;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.Mode.ModeKind;
import dev.ratelimit.rule.OpenChoice;
import dev.ratelimit.rule.RuleKey;
import dev.ratelimit.rule.RuleOption;
import dev.ratelimit.rule.RuleScope;
import dev.ratelimit.rule.RuleValues;
import dev.ratelimit.rule.ValueRange;
import org.jspecify.annotations.Nullable;

/**
 * All data centres count together, and none waits for another.
 *
 * @param guaranteedSharePercent the part of a limit that is divided between the data
 * centres in advance, 0 to 100
 * @param poolOvershootPercent the part of a limit that may be admitted above it, 0 to 100
 * @param exchangeInterval the time between two exchanges of what was taken
 */
public record Everywhere(int guaranteedSharePercent, int poolOvershootPercent,
		Duration exchangeInterval) implements RuleScope {

	/**
	 * A tenth of a limit is guaranteed to the data centres, and at most a fifth may be
	 * admitted above it.
	 */
	public static final Everywhere DEFAULT = new Everywhere(10, 20, Duration.ofMillis(200));

	public Everywhere {
		Key.EXCHANGE_INTERVAL.range().require(exchangeInterval);
		Key.GUARANTEED_SHARE.range().require(guaranteedSharePercent);
		Key.POOL_OVERSHOOT.range().require(poolOvershootPercent);
	}

	@Override
	public OpenChoice kind() {
		return EverywhereKind.EVERYWHERE;
	}

	@Override
	public @Nullable Object value(RuleOption option) {
		return (option instanceof Key key) ? switch (key) {
			case GUARANTEED_SHARE -> this.guaranteedSharePercent + "%";
			case POOL_OVERSHOOT -> this.poolOvershootPercent + "%";
			case EXCHANGE_INTERVAL -> this.exchangeInterval;
		} : null;
	}

	@Override
	public void requireFit(Counting counting, CoveredRequests requests) {
		if (counting.algorithm() != Algorithm.FIXED_WINDOW) {
			throw doesNotFit("algorithm " + counting.algorithm().text(),
					"Use algorithm fixed-window, whose windows have numbers that all data centres know, or scope datacenter");
		}
		if (counting.mode().kind() != ModeKind.STRICT) {
			throw doesNotFit("mode " + counting.mode().kind().text(), "Use mode strict, or scope datacenter");
		}
		if (!counting.countOn().isAlways()) {
			throw doesNotFit("count-on " + counting.countOn(), "Remove count-on, or use scope datacenter");
		}
	}

	private static InvalidRuleException doesNotFit(String other, String cure) {
		return new InvalidRuleException("scope", "everywhere", "does not go with " + other, cure);
	}

	/** The value of {@code scope}. */
	public enum EverywhereKind implements OpenChoice {

		/** All data centres count together. */
		EVERYWHERE;

		@Override
		public RuleKey key() {
			return RuleKey.SCOPE;
		}

		@Override
		public String text() {
			return "everywhere";
		}

		@Override
		public List<RuleOption> options() {
			return List.of(Key.values());
		}

		@Override
		public Everywhere terms(RuleValues values) {
			return new Everywhere(values.get(Key.GUARANTEED_SHARE, DEFAULT.guaranteedSharePercent),
					values.get(Key.POOL_OVERSHOOT, DEFAULT.poolOvershootPercent),
					values.get(Key.EXCHANGE_INTERVAL, DEFAULT.exchangeInterval));
		}

	}

	/** The keys of rules whose scope it is. */
	private enum Key implements RuleOption {

		GUARANTEED_SHARE("guaranteed-share",
				"Which part of a limit is divided between the data centres in advance, 0% to 100%, in rules whose scope is everywhere."),

		POOL_OVERSHOOT("pool-overshoot",
				"Which part of a limit may be admitted above it, 0% to 100%, in rules whose scope is everywhere."),

		EXCHANGE_INTERVAL("exchange-interval",
				"How often data centres exchange what they have taken, 10ms to 1m, in rules whose scope is everywhere.");

		private final String text;

		private final String meaning;

		Key(String text, String meaning) {
			this.text = text;
			this.meaning = meaning;
		}

		@Override
		public String text() {
			return this.text;
		}

		@Override
		public String meaning() {
			return this.meaning;
		}

		@Override
		public Object parse(String value) {
			return (this == EXCHANGE_INTERVAL) ? range().parseDuration(value) : (Object) (int) range().parse(value);
		}

		private ValueRange range() {
			return (this == EXCHANGE_INTERVAL) ? ValueRange.interval(this.text)
					: ValueRange.percent(this.text, 0, "10%");
		}

	}

}
