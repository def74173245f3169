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

/**
 * The memory store, which tells what it was asked and can be emptied.
 */
public final class AskedStore extends DelegatingStore {

	private final InstantSource clock;

	private final Queue<String> asked = new ConcurrentLinkedQueue<>();

	public AskedStore(InstantSource clock) {
		super(new MemoryStore(clock));
		this.clock = clock;
	}

	/** Forget all requests. */
	public void reset() {
		this.asked.clear();
		delegateTo(new MemoryStore(this.clock));
	}

	/** The questions since the last call, each as its rule and its subject. */
	public List<String> takeAsked() {
		List<String> taken = new ArrayList<>();
		for (String one = this.asked.poll(); one != null; one = this.asked.poll()) {
			taken.add(one);
		}
		return taken;
	}

	@Override
	public List<AcquireResult> acquire(List<AcquireRequest> requests, Duration maxWait) {
		requests.forEach((request) -> this.asked.add(request.limit().rule() + " " + request.subject().text()));
		return super.acquire(requests, maxWait);
	}

}
