package dev.ratelimit.limiter.sync;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.limiter.health.StoreListener;
import dev.ratelimit.limiter.instances.InstanceShare;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.support.BackgroundThread;

/**
 * Counts synced rules on the only instance, and never synchronizes them.
 */
public final class IdleSynchronizer {

	private IdleSynchronizer() {
	}

	/** Create a synchronizer whose background work never runs. */
	public static Synchronizer over(RateLimitStore store, MovableClock clock) {
		return new Synchronizer(store, () -> Optional.of(InstanceShare.WHOLE), StoreListener.all(List.of()),
				(rule, permits) -> {
				}, clock::nanoTime, new BackgroundThread("never started") {
					@Override
					public synchronized void every(Duration interval, Runnable task) {
					}

					@Override
					public void soon(Runnable task) {
					}
				});
	}

}
