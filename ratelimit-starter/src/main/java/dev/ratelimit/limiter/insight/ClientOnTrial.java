package dev.ratelimit.limiter.insight;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.store.Limit;

/**
 * Computes how the requests of one client would have been decided with other thresholds.
 * Requests of the same client wait for each other, for a fraction of a microsecond.
 * Allocates nothing. Tested by {@code TrialWindowTests}.
 */
final class ClientOnTrial {

	private final Object lock = new Object();

	private Limit limit;

	/** By factor, then by window. */
	private List<List<TrialWindow>> windows;

	private volatile boolean cameNear;

	/** One bit per factor. */
	private volatile int everRefused;

	ClientOnTrial(Limit limit) {
		this.limit = limit;
		this.windows = windows(limit);
	}

	private static List<List<TrialWindow>> windows(Limit limit) {
		List<List<TrialWindow>> windows = new ArrayList<>();
		for (double factor : Trials.FACTORS) {
			List<TrialWindow> ofFactor = new ArrayList<>(limit.size());
			for (int i = 0; i < limit.size(); i++) {
				ofFactor.add(TrialWindow.of(limit, i, factor));
			}
			windows.add(ofFactor);
		}
		return windows;
	}

	void comesNear() {
		// Most often it is set already, and no write is needed.
		if (!this.cameNear) {
			this.cameNear = true;
		}
	}

	/**
	 * Try a request with every factor.
	 * @param limit the current limit of the client, which changes with its plan
	 * @param cost how many permits the request costs
	 * @param instances how many instances share the limit
	 * @param nowMicros the time
	 * @return one bit per factor, set if the request would have been refused
	 */
	int attempt(Limit limit, long cost, int instances, long nowMicros) {
		int refused = 0;
		synchronized (this.lock) {
			if (this.limit != limit) {
				this.limit = limit;
				this.windows = windows(limit);
			}
			for (int i = 0; i < this.windows.size(); i++) {
				List<TrialWindow> ofFactor = this.windows.get(i);
				boolean room = haveRoom(ofFactor, cost, instances, nowMicros) && cost <= limit.algorithm().maxCost();
				if (room || limit.countRejected()) {
					take(ofFactor, cost, nowMicros);
				}
				refused |= room ? 0 : 1 << i;
			}
			if ((refused & ~this.everRefused) != 0) {
				this.everRefused |= refused;
			}
		}
		return refused;
	}

	private static boolean haveRoom(List<TrialWindow> windows, long cost, int instances, long nowMicros) {
		boolean room = true;
		for (int i = 0; i < windows.size(); i++) {
			// No short circuit: every window has to be advanced to this time.
			room &= windows.get(i).hasRoom(cost, instances, nowMicros);
		}
		return room;
	}

	private static void take(List<TrialWindow> windows, long cost, long nowMicros) {
		for (int i = 0; i < windows.size(); i++) {
			windows.get(i).take(cost, nowMicros);
		}
	}

	boolean cameNear() {
		return this.cameNear;
	}

	boolean wasRefused(int factor) {
		return (this.everRefused & 1 << factor) != 0;
	}

}
