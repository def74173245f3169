package dev.ratelimit.limiter.remote;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

import dev.ratelimit.limiter.remote.StoreListener.Outcome;
import dev.ratelimit.limiter.remote.StoreTracer.Operation;
import dev.ratelimit.store.Answer;
import dev.ratelimit.store.GiveBack;
import dev.ratelimit.store.Question;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Taken;

/**
 * Tells a listener of every call of a store, and shows it to whoever traces. Costs two
 * looks at a clock per call.
 */
public final class WatchedStore implements RateLimitStore {

	private final RateLimitStore store;

	private final StoreListener listener;

	private final StoreTracer tracer;

	private final LongSupplier nanoTime;

	/**
	 * Watch a store.
	 * @param store the store
	 * @param listener hears of its calls when they have ended
	 * @param tracer sees them begin and end
	 * @param nanoTime a monotonic clock in nanoseconds
	 */
	public WatchedStore(RateLimitStore store, StoreListener listener, StoreTracer tracer, LongSupplier nanoTime) {
		this.store = store;
		this.listener = listener;
		this.tracer = tracer;
		this.nanoTime = nanoTime;
	}

	@Override
	public List<Answer> ask(List<Question> questions, Duration maxWait) {
		Outcome outcome = Outcome.ERROR;
		StoreTracer.Call call = this.tracer.begin(Operation.ASK);
		long start = this.nanoTime.getAsLong();
		try {
			List<Answer> answers = this.store.ask(questions, maxWait);
			outcome = outcomeOf(answers);
			return answers;
		}
		finally {
			end(call, outcome, start);
		}
	}

	private void end(StoreTracer.Call call, Outcome outcome, long start) {
		long nanos = this.nanoTime.getAsLong() - start;
		call.end(outcome);
		this.listener.called(outcome, nanos);
	}

	private static Outcome outcomeOf(List<Answer> answers) {
		Outcome outcome = Outcome.SUCCESS;
		for (int i = 0; i < answers.size(); i++) {
			// It was the application that had no time.
			if (answers.get(i) instanceof Answer.Failed failed && failed.failure() != StoreFailure.OVERLOADED) {
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
		Outcome outcome = Outcome.ERROR;
		StoreTracer.Call call = this.tracer.begin(Operation.GIVE_BACK);
		long start = this.nanoTime.getAsLong();
		try {
			List<GiveBack> ends = this.store.giveBack(permits, maxWait);
			outcome = ends.contains(GiveBack.AWAITED) ? Outcome.TIMEOUT
					: ends.contains(GiveBack.LOST) ? Outcome.ERROR : Outcome.SUCCESS;
			return ends;
		}
		finally {
			end(call, outcome, start);
		}
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
