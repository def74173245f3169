package dev.ratelimit.limiter.sync;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import dev.ratelimit.fixture.BareCapabilities;
import dev.ratelimit.fixture.DelegatingStore;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.PermitCounter;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.StoreCapabilities;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.memory.MemoryStore;
import dev.ratelimit.support.Pending;

/**
 * A store that counts how often it is called, and may be away.
 */
final class CountingStore extends DelegatingStore implements PermitCounter {

	private final RateLimitStore store;

	private final PermitCounter counter;

	private final AtomicInteger calls = new AtomicInteger();

	private final AtomicInteger acquired = new AtomicInteger();

	private final AtomicInteger reported = new AtomicInteger();

	private final AtomicReference<Optional<AcquireResult>> failure = new AtomicReference<>(Optional.empty());

	CountingStore(MemoryStore store) {
		this(store, store.capabilities().counter().orElseThrow());
	}

	CountingStore(RateLimitStore store, PermitCounter counter) {
		super(store);
		this.store = store;
		this.counter = counter;
	}

	void fail(AcquireResult.Failed failure) {
		this.failure.set(Optional.of(failure));
	}

	void recover() {
		this.failure.set(Optional.empty());
	}

	/** How many acquire calls it received since the last look. */
	int calls() {
		return this.calls.getAndSet(0);
	}

	/** How many acquire requests it received since the last look. */
	int acquired() {
		return this.acquired.getAndSet(0);
	}

	/** How many keys were synced to it since the last look. */
	int reported() {
		return this.reported.getAndSet(0);
	}

	/** What it has counted in the shortest window; reading it changes nothing. */
	long counted(Limit limit, Subject subject) {
		AcquireResult result = this.store
			.acquire(List.of(new AcquireRequest(limit, subject, limit.count(0) + 1, new PermitId("look"))),
					Duration.ofSeconds(1))
			.await()
			.get(0);
		return limit.count(0) - ((AcquireResult.Refused) result).usage().get(0).remaining();
	}

	@Override
	public StoreCapabilities capabilities() {
		return BareCapabilities.with(Optional.empty(), Optional.of(this));
	}

	@Override
	public Pending<List<AcquireResult>> acquire(List<AcquireRequest> requests, Duration maxWait) {
		this.calls.incrementAndGet();
		this.acquired.addAndGet(requests.size());
		return Pending.of(this.failure.get()
			.<List<AcquireResult>>map((failed) -> new ArrayList<>(Collections.nCopies(requests.size(), failed)))
			.orElseGet(() -> super.acquire(requests, maxWait).await()));
	}

	@Override
	public List<AcquireResult> count(List<AcquiredPermits> permits, Duration maxWait) {
		this.reported.addAndGet(permits.size());
		return this.failure.get()
			.map((failed) -> Collections.nCopies(permits.size(), failed))
			.orElseGet(() -> this.counter.count(permits, maxWait));
	}

}
