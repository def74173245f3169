package dev.ratelimit.store;

import java.util.List;

/**
 * Results as tests expect them.
 */
final class Results {

	private Results() {
	}

	static AcquireResult admitted(Usage... usage) {
		return new AcquireResult.Admitted(List.of(usage));
	}

	static AcquireResult refused(Usage... usage) {
		return new AcquireResult.Refused(List.of(usage));
	}

	static Usage window(long remaining, long resetMicros, long retryMicros) {
		return new Usage(remaining, resetMicros, retryMicros);
	}

	/** A log that has granted its last permit. */
	static Usage usedUp(long resetMicros, long nextMicros) {
		return new Usage(0, resetMicros, 0, nextMicros);
	}

}
