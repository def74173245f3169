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
 * @param client the hash that the endpoint knows it by
 * @param address its address, where values may be shown and it is counted by that
 * @param allowance {@code limited}, {@code unlimited} or {@code blocked}
 * @param windows what it has used; none where nothing is counted
 * @param leased how many permits this instance may still admit without asking; absent in
 * other modes
 * @param unsynced how many permits this instance has admitted that are not in the windows
 * yet; absent in other modes
 */
public record ClientDescriptor(String rule, String client, @Nullable String address, String allowance,
		List<WindowDescriptor> windows, @Nullable Long leased,
		@Nullable Long unsynced) implements OperationResponseBody {

	/**
	 * What a client has used of a window.
	 *
	 * @param threshold how many
	 * @param window in how long, for example {@code 10s}
	 * @param burst the capacity of a bucket; absent for other algorithms
	 * @param used how many permits count now
	 * @param remaining how many more are free now
	 * @param retryInMillis until one permit is free, 0 if one is
	 * @param resetInMillis until nothing counts any more if nobody asks
	 */
	public record WindowDescriptor(long threshold, String window, @Nullable Long burst, long used, long remaining,
			long retryInMillis, long resetInMillis) {

		/**
		 * Describe the windows of a client.
		 * @param limit its limit
		 * @param usage one entry per threshold of the limit
		 * @return the same, shortest window first
		 */
		public static List<WindowDescriptor> of(Limit limit, List<Usage> usage) {
			List<WindowDescriptor> windows = new ArrayList<>(usage.size());
			for (int i = 0; i < usage.size(); i++) {
				Usage window = usage.get(i);
				windows.add(new WindowDescriptor(limit.count(i), limit.thresholds().get(i).windowText(),
						limit.algorithm().takes(Option.BURST) ? limit.capacity(i) : null,
						limit.capacity(i) - window.remaining(), window.remaining(), millis(window.retryMicros()),
						millis(window.resetMicros())));
			}
			return windows;
		}

		/** Rounded up, so that the wait is over when they are. */
		private static long millis(long micros) {
			return (micros + 999) / 1000;
		}

	}

}
