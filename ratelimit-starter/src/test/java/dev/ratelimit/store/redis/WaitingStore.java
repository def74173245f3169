package dev.ratelimit.store.redis;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

import dev.ratelimit.fixture.DelegatingStore;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.memory.MemoryStore;
import dev.ratelimit.support.Pending;

/**
 * Waits for as long as it may and does nothing else: any longer wait is the time that
 * this machine takes to wake a thread and to give it a processor.
 */
public final class WaitingStore extends DelegatingStore {

	public WaitingStore() {
		super(new MemoryStore(InstantSource.system()));
	}

	@Override
	public Pending<List<AcquireResult>> acquire(List<AcquireRequest> requests, Duration maxWait) {
		long end = System.nanoTime() + maxWait.toNanos();
		for (long left = maxWait.toNanos(); left > 0; left = end - System.nanoTime()) {
			LockSupport.parkNanos(left);
		}
		return Pending
			.of(Collections.nCopies(requests.size(), new AcquireResult.Failed(StoreFailure.TIMEOUT, Fate.NOT_TAKEN)));
	}

}
