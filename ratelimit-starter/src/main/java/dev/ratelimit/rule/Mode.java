package dev.ratelimit.rule;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Where the permits of a rule come from. Sealed, so a {@code switch} over its
 * {@linkplain #kind() kind} needs no default.
 */
public sealed interface Mode {

	/** The mode of rules that define none. */
	Mode STRICT = new Strict();

	/** Leased ahead, with time and size determined automatically. */
	Leased LEASED = new Leased(Optional.empty(), Optional.empty());

	/**
	 * Counted locally and synchronized with the store once a second; at most a fifth
	 * above the limit.
	 */
	Synced SYNCED = new Synced(Duration.ofSeconds(1), 20);

	/**
	 * Its name.
	 * @return the kind
	 */
	ModeKind kind();

	/** Every permit is acquired from the store. */
	record Strict() implements Mode {

		@Override
		public ModeKind kind() {
			return ModeKind.STRICT;
		}

	}

	/**
	 * Permits are leased from the store ahead, and used locally. Never above the limit.
	 *
	 * @param time how long leased permits may be used; empty to derive it from the
	 * windows
	 * @param size the number of permits leased at a time; empty to derive it from the
	 * demand
	 */
	record Leased(Optional<Duration> time, Optional<Long> size) implements Mode {

		static final ValueRange TIME = ValueRange.interval("lease-time");

		static final ValueRange SIZE = ValueRange.number("lease-size", 1, RLThreshold.MAX_THRESHOLD,
				"Write how many permits an instance reserves at a time, or auto");

		private static final Duration LONGEST_AUTO = Duration.ofSeconds(1);

		public Leased {
			time.ifPresent(TIME::require);
			size.ifPresent(SIZE::require);
		}

		@Override
		public ModeKind kind() {
			return ModeKind.LEASED;
		}

		/**
		 * How long permits of the given thresholds may be used.
		 * @param thresholds the thresholds
		 * @return the configured time; otherwise a tenth of the shortest window, from 1
		 * ms to 1 s
		 */
		public Duration time(List<RLThreshold> thresholds) {
			return this.time.orElseGet(() -> {
				Duration tenth = Duration.ofMillis(Math.max(1, shortest(thresholds).toMillis() / 10));
				return (tenth.compareTo(LONGEST_AUTO) < 0) ? tenth : LONGEST_AUTO;
			});
		}

		private static Duration shortest(List<RLThreshold> thresholds) {
			return thresholds.stream().map(RLThreshold::windowLength).min(Duration::compareTo).orElse(LONGEST_AUTO);
		}

		/** For example {@code 500ms}, or {@code auto}. */
		String timeText() {
			return this.time.map(DurationText::of).orElse("auto");
		}

		/** A whole number, or {@code auto}. */
		String sizeText() {
			return this.size.map(String::valueOf).orElse("auto");
		}

	}

	/**
	 * Counted locally, and added to the store at intervals. May admit more than the
	 * limit.
	 *
	 * @param interval the time between two synchronizations
	 * @param maxOvershootPercent the share of a limit that may be admitted above it, 1 to
	 * 100
	 */
	record Synced(Duration interval, int maxOvershootPercent) implements Mode {

		static final ValueRange INTERVAL = ValueRange.interval("sync-interval");

		static final ValueRange MAX_OVERSHOOT = ValueRange.percent("max-overshoot", 1,
				"10%, or use mode strict if nothing may be above the limit");

		public Synced {
			INTERVAL.require(interval);
			MAX_OVERSHOOT.require(maxOvershootPercent);
		}

		@Override
		public ModeKind kind() {
			return ModeKind.SYNCED;
		}

	}

	/**
	 * The modes by their names.
	 */
	enum ModeKind implements RuleChoice {

		/** Every permit is acquired from the store. */
		STRICT,

		/** Permits are leased from the store ahead, and used locally. */
		LEASED,

		/** Counted locally, and added to the store at intervals. */
		SYNCED;

		@Override
		public RuleKey key() {
			return RuleKey.MODE;
		}

		@Override
		public String text() {
			return Values.text(this);
		}

		/**
		 * The algorithms that support this mode.
		 * @return those that a rule of this mode may have
		 */
		public List<Algorithm> algorithms() {
			return switch (this) {
				case STRICT -> List.of(Algorithm.values());
				case LEASED ->
					List.of(Algorithm.SLIDING_WINDOW_LOG, Algorithm.SLIDING_WINDOW_COUNTER, Algorithm.FIXED_WINDOW);
				case SYNCED -> List.of(Algorithm.SLIDING_WINDOW_COUNTER, Algorithm.FIXED_WINDOW);
			};
		}

	}

}
