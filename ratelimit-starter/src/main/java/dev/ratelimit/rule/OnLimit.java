package dev.ratelimit.rule;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What happens to a request that exceeds its limit. A module may add another action.
 */
public interface OnLimit extends ChoiceTerms {

	/** What happens for rules that define nothing else. */
	OnLimit REJECT = new Reject();

	/** Delays by at most two seconds, and at most a hundred requests of one client. */
	Delay DELAY = new Delay(Duration.ofSeconds(2), 100);

	/** The largest bound of a queue. */
	int MAX_QUEUE = 1_000_000;

	/**
	 * Whether a request may be answered now and handled later. It must have passed Spring
	 * Security then, and only what identifies its client is known of it later.
	 * @return whether it may
	 */
	boolean isHandledLater();

	/**
	 * The algorithms that support it.
	 * @return those that such a rule may have
	 */
	List<Algorithm> algorithms();

	/** It is refused. */
	record Reject() implements OnLimit {

		@Override
		public OnLimitKind kind() {
			return OnLimitKind.REJECT;
		}

		@Override
		public boolean isHandledLater() {
			return false;
		}

		@Override
		public List<Algorithm> algorithms() {
			return List.of(Algorithm.values());
		}

	}

	/**
	 * It waits for its turn: first in, first out over all instances.
	 *
	 * @param maxWait the longest wait; a request that would wait longer is refused at
	 * once
	 * @param maxQueue the number of requests of one client that may wait; a leaky bucket
	 * is bounded by its burst instead
	 */
	record Delay(Duration maxWait, int maxQueue) implements OnLimit {

		/** The largest configurable wait. */
		public static final Duration LONGEST = Duration.ofDays(1);

		static final ValueRange MAX_WAIT = ValueRange.duration("max-wait", Duration.ofMillis(1), LONGEST,
				"500ms, 2s or 1m");

		/** The number of requests of one client that may wait. */
		public static final ValueRange QUEUE = ValueRange.count("max-queue", MAX_QUEUE);

		public Delay {
			MAX_WAIT.require(maxWait);
			QUEUE.require(maxQueue);
		}

		@Override
		public OnLimitKind kind() {
			return OnLimitKind.DELAY;
		}

		@Override
		public boolean isHandledLater() {
			return false;
		}

		/** They must be able to schedule turns ahead. */
		@Override
		public List<Algorithm> algorithms() {
			return List.of(Algorithm.SLIDING_WINDOW_LOG, Algorithm.LEAKY_BUCKET);
		}

		@Override
		public @Nullable Object value(RuleOption option) {
			return (option == RuleKey.MAX_WAIT) ? this.maxWait : (option == RuleKey.MAX_QUEUE) ? this.maxQueue : null;
		}

	}

	/**
	 * What every application knows.
	 */
	enum OnLimitKind implements OpenChoice {

		/** It is refused. */
		REJECT,

		/** It waits for its turn. */
		DELAY;

		@Override
		public RuleKey key() {
			return RuleKey.ON_LIMIT;
		}

		@Override
		public String text() {
			return Values.text(this);
		}

		@Override
		public List<RuleOption> options() {
			return (this == DELAY) ? List.of(RuleKey.MAX_WAIT, RuleKey.MAX_QUEUE) : List.of();
		}

		@Override
		public OnLimit terms(RuleValues values) {
			return (this == REJECT) ? OnLimit.REJECT : new Delay(values.get(RuleKey.MAX_WAIT, OnLimit.DELAY.maxWait()),
					values.get(RuleKey.MAX_QUEUE, OnLimit.DELAY.maxQueue()));
		}

	}

}
