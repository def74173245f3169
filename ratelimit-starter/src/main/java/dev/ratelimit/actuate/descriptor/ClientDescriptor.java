package dev.ratelimit.actuate.descriptor;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.rule.Algorithm.Option;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Usage;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * One client of one rule.
 *
 * @param rule the id of the rule
 * @param client its hash in this endpoint
 * @param address its address, if values may be shown and it is counted by its address
 * @param allowance {@code limited}, {@code unlimited} or {@code blocked}
 * @param windows its usage per window; none if nothing is counted
 * @param leased the number of leased permits that this instance may still admit without
 * calling the store; absent in other modes
 * @param unsynced the number of permits that this instance has admitted and that are not
 * in the windows yet; absent in other modes
 */
public record ClientDescriptor(String rule, String client, @Nullable String address, String allowance,
		List<WindowDescriptor> windows, @Nullable Long leased,
		@Nullable Long unsynced) implements OperationResponseBody {

	/**
	 * The usage of a window by a client.
	 *
	 * @param threshold the number of permits
	 * @param window the length, for example {@code 10s}
	 * @param burst the capacity of a bucket; absent for other algorithms
	 * @param used the number of permits that count now
	 * @param remaining the number of permits that are free now
	 * @param retryInMillis the time until one permit is free, 0 if one is
	 * @param resetInMillis the time until nothing counts any more if no further request
	 * arrives
	 */
	public record WindowDescriptor(long threshold, String window, @Nullable Long burst, long used, long remaining,
			long retryInMillis, long resetInMillis) {

		/**
		 * Describe the windows of a client.
		 * @param limit its limit
		 * @param usage one entry per threshold of the limit
		 * @return the descriptors, shortest window first
		 */
		public static List<WindowDescriptor> of(Limit limit, List<Usage> usage) {
			List<WindowDescriptor> windows = new ArrayList<>(usage.size());
			for (int i = 0; i < usage.size(); i++) {
				Usage window = usage.get(i);
				windows.add(new WindowDescriptor(limit.count(i), limit.thresholds().get(i).window().toString(),
						limit.algorithm().takes(Option.BURST) ? limit.capacity(i) : null,
						limit.capacity(i) - window.remaining(), window.remaining(), millis(window.retryMicros()),
						millis(window.resetMicros())));
			}
			return windows;
		}

		/**
		 * Rounded up, so that the time has passed when the reported milliseconds have.
		 */
		private static long millis(long micros) {
			return (micros + 999) / 1000;
		}

	}

}
