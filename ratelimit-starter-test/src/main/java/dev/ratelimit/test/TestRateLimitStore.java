package dev.ratelimit.test;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.queue.memory.MemoryItemQueue;
import dev.ratelimit.store.Answer;
import dev.ratelimit.store.GiveBack;
import dev.ratelimit.store.Question;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.Taken;
import dev.ratelimit.store.memory.MemoryStore;

/**
 * Counts in memory, and forgets on demand. Stands where Redis stands, so that the limiter
 * takes the way it takes in production.
 */
final class TestRateLimitStore implements RateLimitStore {

	private final RateLimitClock clock;

	private final MemoryItemQueue queue;

	private volatile MemoryStore counts;

	TestRateLimitStore(RateLimitClock clock, MemoryItemQueue queue) {
		this.clock = clock;
		this.queue = queue;
		this.counts = new MemoryStore(clock::instant);
	}

	/** As if nobody had ever called, at the time at which each test begins. */
	void reset() {
		this.queue.clear();
		this.clock.set(RateLimitClock.START);
		this.counts = new MemoryStore(this.clock::instant);
	}

	@Override
	public List<Answer> ask(List<Question> questions, Duration maxWait) {
		return this.counts.ask(questions, maxWait);
	}

	@Override
	public List<GiveBack> giveBack(List<Taken> permits, Duration maxWait) {
		return this.counts.giveBack(permits, maxWait);
	}

	@Override
	public String shard(Question question) {
		return this.counts.shard(question);
	}

	@Override
	public String describe() {
		return "memory, on the clock of a test";
	}

	@Override
	public void close() {
		this.counts.close();
	}

}
