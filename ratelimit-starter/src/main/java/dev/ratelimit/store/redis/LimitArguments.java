package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.rule.Refill;
import dev.ratelimit.rule.Rounding;
import dev.ratelimit.store.Limit;

/**
 * Converts a limit once into the ready arguments of its algorithm's script, so that a
 * request only copies references. Tested by {@code GoldenKeysTests}.
 */
final class LimitArguments {

	private static final long EXPIRY_SLACK_MILLIS = 100;

	private LimitArguments() {
	}

	static List<byte[]> of(Limit limit) {
		List<Object> numbers = new ArrayList<>();
		// A key outlives its content, whatever the clock did between TIME and the expiry
		// of the key.
		long ttlMillis = limit.horizon().toMillis() + EXPIRY_SLACK_MILLIS;
		numbers.add(ttlMillis);
		numbers.add(option(limit));
		for (int i = 0; i < limit.size(); i++) {
			if (limit.algorithm().isBucket()) {
				numbers.add(limit.capacity(i));
				numbers.add(limit.permitUnits(i));
				numbers.add(limit.unitsPerMicro(i));
				numbers.add(limit.windowMicros(i) / 1000);
			}
			else {
				numbers.add(limit.count(i));
				numbers.add(limit.windowMicros(i));
			}
		}
		return numbers.stream().map((number) -> number.toString().getBytes(StandardCharsets.US_ASCII)).toList();
	}

	/** The argument that each algorithm uses in its own way. */
	private static String option(Limit limit) {
		return switch (limit.algorithm()) {
			case SLIDING_WINDOW_LOG -> trimming(limit);
			case SLIDING_WINDOW_COUNTER -> (limit.rounding() == Rounding.UP) ? "1" : "0";
			case TOKEN_BUCKET, LEAKY_BUCKET -> "0" + ((limit.refill() == Refill.INTERVAL) ? "" : otherBuckets(limit));
			case FIXED_WINDOW -> "0";
		};
	}

	/**
	 * The entries that a log removes, and those that it keeps for plans with longer
	 * windows.
	 */
	private static String trimming(Limit limit) {
		long rank = limit.countRejected() ? -1 - limit.mostKept() : 0;
		return rank + limit.longerWindow()
			.map((longer) -> " %d %d %d".formatted(longer.micros(), longer.most(), longer.isNeeded() ? 1 : 0))
			.orElse("");
	}

	/**
	 * The rates and largest debts of the buckets of other plans. A bucket of this plan is
	 * listed if another one has a larger or faster bucket of the same window.
	 */
	private static String otherBuckets(Limit limit) {
		StringBuilder text = new StringBuilder();
		for (int i = 0; i < limit.size(); i++) {
			if (limit.ceiling(i) > limit.capacity(i) || limit.highestUnitsPerMicro(i) > limit.unitsPerMicro(i)) {
				append(text, limit, i, limit.highestUnitsPerMicro(i));
			}
		}
		limit.otherBuckets().ifPresent((others) -> {
			for (int i = 0; i < others.size(); i++) {
				append(text, others, i, others.unitsPerMicro(i));
			}
		});
		return text.toString();
	}

	private static void append(StringBuilder text, Limit limit, int index, long unitsPerMicro) {
		text.append(" %d %d %d %d".formatted(limit.windowMicros(index) / 1000, limit.permitUnits(index), unitsPerMicro,
				limit.ceiling(index)));
	}

}
