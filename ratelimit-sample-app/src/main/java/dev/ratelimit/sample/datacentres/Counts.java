package dev.ratelimit.sample.datacentres;

import java.util.HashMap;
import java.util.Map;

/**
 * How many requests of each client a data centre has admitted and refused in the current
 * window. Safe for concurrent use.
 */
final class Counts {

	private static final Count NONE = new Count(0, 0);

	private final Map<String, Count> byClient = new HashMap<>();

	private long window;

	/**
	 * Count a request.
	 * @param client the client
	 * @param inWindow the number of the window in which it was decided
	 * @param admitted whether it was admitted
	 */
	synchronized void add(String client, long inWindow, boolean admitted) {
		if (inWindow > this.window) {
			this.window = inWindow;
			this.byClient.clear();
		}
		if (inWindow == this.window) {
			this.byClient.merge(client, admitted ? new Count(1, 0) : new Count(0, 1), Count::plus);
		}
	}

	synchronized Count of(String client, long inWindow) {
		return (inWindow == this.window) ? this.byClient.getOrDefault(client, NONE) : NONE;
	}

	record Count(int admitted, int refused) {

		Count plus(Count other) {
			return new Count(this.admitted + other.admitted, this.refused + other.refused);
		}

	}

}
