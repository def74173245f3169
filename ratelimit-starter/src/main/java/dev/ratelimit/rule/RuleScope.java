package dev.ratelimit.rule;

import java.time.Duration;

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

		static final ValueRange GUARANTEED_SHARE = ValueRange.percent("guaranteed-share", 0, "10%");

		static final ValueRange POOL_OVERSHOOT = ValueRange.percent("pool-overshoot", 0, "10%");

		static final ValueRange EXCHANGE_INTERVAL = ValueRange.interval("exchange-interval");

		public Everywhere {
			EXCHANGE_INTERVAL.require(exchangeInterval);
			GUARANTEED_SHARE.require(guaranteedSharePercent);
			POOL_OVERSHOOT.require(poolOvershootPercent);
		}

		@Override
		public ScopeKind kind() {
			return ScopeKind.EVERYWHERE;
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
