package dev.ratelimit.limiter.watch;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

import dev.ratelimit.limiter.watch.StoreListener.Outcome;
import dev.ratelimit.store.Answer;
import dev.ratelimit.store.GiveBack;
import dev.ratelimit.store.Question;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Taken;

/**
 * Tells a listener of every call of a store. Costs two looks at a clock per call.
 */
public final class WatchedStore implements RateLimitStore {

	private final RateLimitStore store;

	private final StoreListener listener;

	private final LongSupplier nanoTime;

	/**
	 * Watch a store.
	 * @param store the store
	 * @param listener hears of its calls
	 * @param nanoTime a monotonic clock in nanoseconds
	 */
	public WatchedStore(RateLimitStore store, StoreListener listener, LongSupplier nanoTime) {
		this.store = store;
		this.listener = listener;
		this.nanoTime = nanoTime;
	}

	@Override
	public List<Answer> ask(List<Question> questions, Duration maxWait) {
		long start = this.nanoTime.getAsLong();
		List<Answer> answers = this.store.ask(questions, maxWait);
		this.listener.called(outcomeOf(answers), this.nanoTime.getAsLong() - start);
		return answers;
	}

	private static Outcome outcomeOf(List<Answer> answers) {
		Outcome outcome = Outcome.SUCCESS;
		for (Answer answer : answers) {
			if (answer instanceof Answer.Failed failed) {
				if (failed.failure() == StoreFailure.TIMEOUT) {
					return Outcome.TIMEOUT;
				}
				outcome = Outcome.ERROR;
			}
		}
		return outcome;
	}

	@Override
	public List<GiveBack> giveBack(List<Taken> permits, Duration maxWait) {
		long start = this.nanoTime.getAsLong();
		List<GiveBack> ends = this.store.giveBack(permits, maxWait);
		Outcome outcome = ends.contains(GiveBack.AWAITED) ? Outcome.TIMEOUT
				: ends.contains(GiveBack.LOST) ? Outcome.ERROR : Outcome.SUCCESS;
		this.listener.called(outcome, this.nanoTime.getAsLong() - start);
		return ends;
	}

	@Override
	public String shard(Question question) {
		return this.store.shard(question);
	}

	@Override
	public String describe() {
		return this.store.describe();
	}

	@Override
	public void close() {
		this.store.close();
	}

}
