package dev.ratelimit.store.wire;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The outage of a server to which the last attempt to connect has failed. The next
 * attempt follows after a pause that doubles with each attempt, up to half a second.
 * Tested by {@code ReconnectTests}.
 *
 * @param cause why the attempt failed
 * @param pause how long to wait before the next attempt
 * @param end when the next attempt may begin
 */
record NodeOutage(Throwable cause, Duration pause, Deadline end) {

	private static final Duration SHORTEST_PAUSE = Duration.ofMillis(10);

	private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

	static NodeOutage after(@Nullable NodeOutage before, Throwable cause) {
		Duration doubled = (before != null) ? before.pause.multipliedBy(2) : SHORTEST_PAUSE;
		Duration pause = (doubled.compareTo(LONGEST_PAUSE) < 0) ? doubled : LONGEST_PAUSE;
		return new NodeOutage(cause, pause, Deadline.in(pause));
	}

	boolean isPausing() {
		return !this.end.isOver();
	}

}
