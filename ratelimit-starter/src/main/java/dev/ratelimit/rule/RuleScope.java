package dev.ratelimit.rule;

import java.time.Duration;
import java.util.regex.Pattern;

/**
 * Where the permits of a rule count: in each data centre for itself, or in all of them
 * together. Sealed, so a {@code switch} over its {@linkplain #kind() kind} needs no
 * default.
 */
public sealed interface RuleScope {

	/** The scope of rules that define none. */
	RuleScope DATACENTER = new Datacenter();

	/**
	 * A tenth of a limit is guaranteed to the data centres, and at most a fifth may be
	 * admitted above it.
	 */
	Everywhere EVERYWHERE = new Everywhere(10, 20, Duration.ofMillis(200));

	/**
	 * Its name.
	 * @return the kind
	 */
	ScopeKind kind();

	/** Each data centre counts for itself. */
	record Datacenter() implements RuleScope {

		@Override
		public ScopeKind kind() {
			return ScopeKind.DATACENTER;
		}

	}

	/**
	 * All data centres count together, and none waits for another.
	 *
	 * @param guaranteedSharePercent the part of a limit that is divided between the data
	 * centres in advance, 0 to 100
	 * @param poolOvershootPercent the part of a limit that may be admitted above it, 0 to
	 * 100
	 * @param exchangeInterval the time between two exchanges of what was taken
	 */
	record Everywhere(int guaranteedSharePercent, int poolOvershootPercent,
			Duration exchangeInterval) implements RuleScope {

		static final DurationRange EXCHANGE_INTERVAL = DurationRange.ofMode("exchange-interval");

		private static final String SHARE = "guaranteed-share";

		private static final String OVERSHOOT = "pool-overshoot";

		private static final Pattern PERCENT = Pattern.compile("(0|[1-9][0-9]{0,2})%");

		public Everywhere {
			EXCHANGE_INTERVAL.require(exchangeInterval);
			require(SHARE, guaranteedSharePercent);
			require(OVERSHOOT, poolOvershootPercent);
		}

		@Override
		public ScopeKind kind() {
			return ScopeKind.EVERYWHERE;
		}

		Everywhere withGuaranteedShare(int percent) {
			return new Everywhere(percent, this.poolOvershootPercent, this.exchangeInterval);
		}

		Everywhere withPoolOvershoot(int percent) {
			return new Everywhere(this.guaranteedSharePercent, percent, this.exchangeInterval);
		}

		Everywhere withExchangeInterval(Duration other) {
			return new Everywhere(this.guaranteedSharePercent, this.poolOvershootPercent, other);
		}

		/** For example {@code 10%}. */
		String guaranteedShareText() {
			return this.guaranteedSharePercent + "%";
		}

		/** For example {@code 20%}. */
		String poolOvershootText() {
			return this.poolOvershootPercent + "%";
		}

		static int parseGuaranteedShare(String text) {
			return parse(SHARE, text);
		}

		static int parsePoolOvershoot(String text) {
			return parse(OVERSHOOT, text);
		}

		private static int parse(String key, String text) {
			if (!PERCENT.matcher(text).matches()) {
				throw invalid(key, text);
			}
			return Integer.parseInt(text.substring(0, text.length() - 1));
		}

		private static void require(String key, int percent) {
			if (percent < 0 || percent > 100) {
				throw invalid(key, percent + "%");
			}
		}

		private static InvalidRuleException invalid(String key, String text) {
			return new InvalidRuleException(key, text, "is not a whole percentage from 0% to 100%",
					"Write for example 10%");
		}

	}

	/**
	 * The scopes by their names.
	 */
	enum ScopeKind {

		/** Each data centre counts for itself. */
		DATACENTER,

		/** All data centres count together. */
		EVERYWHERE

	}

}
