package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Answer.Fate;
import dev.ratelimit.store.GiveBack;
import dev.ratelimit.store.Question;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Taken;

/**
 * Waits for as long as it may and does nothing else: what comes on top is what this
 * machine takes to wake a thread and to give it a processor.
 */
public final class WaitingStore implements RateLimitStore {

	@Override
	public List<Answer> ask(List<Question> questions, Duration maxWait) {
		long end = System.nanoTime() + maxWait.toNanos();
		for (long left = maxWait.toNanos(); left > 0; left = end - System.nanoTime()) {
			LockSupport.parkNanos(left);
		}
		return Collections.nCopies(questions.size(), new Answer.Failed(StoreFailure.TIMEOUT, Fate.NOT_TAKEN));
	}

	@Override
	public List<GiveBack> giveBack(List<Taken> permits, Duration maxWait) {
		throw new UnsupportedOperationException();
	}

	@Override
	public String shard(Question question) {
		return describe();
	}

	@Override
	public String describe() {
		return "nowhere";
	}

	@Override
	public void close() {
	}

}
