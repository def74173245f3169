package dev.ratelimit.integration.support;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import dev.ratelimit.fixture.DelegatingStore;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.memory.MemoryStore;
import dev.ratelimit.support.Pending;

/**
 * The memory store, which records its acquire requests and can be emptied.
 */
public final class RecordingMemoryStore extends DelegatingStore {

	private final InstantSource clock;

	private final Queue<String> acquired = new ConcurrentLinkedQueue<>();

	public RecordingMemoryStore(InstantSource clock) {
		super(new MemoryStore(clock));
		this.clock = clock;
	}

	/** Forget all requests. */
	public void reset() {
		this.acquired.clear();
		delegateTo(new MemoryStore(this.clock));
	}

	/** The acquire requests since the last call, each as its rule and its subject. */
	public List<String> takeAcquired() {
		List<String> taken = new ArrayList<>();
		for (String one = this.acquired.poll(); one != null; one = this.acquired.poll()) {
			taken.add(one);
		}
		return taken;
	}

	@Override
	public Pending<List<AcquireResult>> acquire(List<AcquireRequest> requests, Duration maxWait) {
		requests.forEach((request) -> this.acquired.add(request.limit().rule() + " " + request.subject().text()));
		return super.acquire(requests, maxWait);
	}

}
