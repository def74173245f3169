package dev.ratelimit.store.memory;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Question;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.Subject;

/**
 * Counts on the heap of this instance, on an injected clock. Exact and atomic per rule
 * and subject, without a lock that two subjects share for longer than a hash bin. Holds
 * about 130 bytes per permit inside its window, never more permits per subject than the
 * largest threshold. It runs no thread: whoever asks looks after two other subjects and
 * drops those whose longest window has passed, so at most as many idle subjects stay as
 * there are busy ones.
 */
public final class MemoryStore implements RateLimitStore {

	private static final int INSPECTED_PER_QUESTION = 2;

	private final InstantSource clock;

	private final Map<Counted, SlidingWindowLog> logs = new ConcurrentHashMap<>();

	/** Every key of {@link #logs} once, the one that waits longest for a look first. */
	private final Queue<Counted> inspections = new ConcurrentLinkedQueue<>();

	/**
	 * Create an empty store.
	 * @param clock the time, counted in microseconds
	 */
	public MemoryStore(InstantSource clock) {
		this.clock = clock;
	}

	@Override
	public List<Answer> ask(List<Question> questions) {
		List<Answer> answers = new ArrayList<>(questions.size());
		for (Question question : questions) {
			answers.add(ask(question));
		}
		return answers;
	}

	private Answer ask(Question question) {
		Limit limit = question.limit();
		Answer[] answer = new Answer[1];
		this.logs.compute(Counted.by(question), (counted, existing) -> {
			SlidingWindowLog log = existing;
			if (log == null) {
				log = new SlidingWindowLog();
				this.inspections.add(counted);
			}
			// Here the clock is read in the order in which the log is written.
			answer[0] = log.ask(limit, question.permit().text(), question.cost(), nowMicros());
			return log;
		});
		inspect();
		return answer[0];
	}

	@Override
	public List<Boolean> giveBack(List<Question> questions) {
		List<Boolean> acknowledged = new ArrayList<>(questions.size());
		for (Question question : questions) {
			// Nobody was ever given more than the smallest threshold.
			long cost = Math.min(question.cost(), question.limit().smallestCount());
			this.logs.computeIfPresent(Counted.by(question), (counted, log) -> {
				log.giveBack(question.permit().text(), cost);
				return log;
			});
			acknowledged.add(true);
		}
		return acknowledged;
	}

	private void inspect() {
		long nowMicros = nowMicros();
		for (int i = 0; i < INSPECTED_PER_QUESTION; i++) {
			Counted counted = this.inspections.poll();
			if (counted != null
					&& this.logs.computeIfPresent(counted, (key, log) -> log.isIdle(nowMicros) ? null : log) != null) {
				this.inspections.add(counted);
			}
		}
	}

	private long nowMicros() {
		Instant now = this.clock.instant();
		return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
	}

	int subjects() {
		return this.logs.size();
	}

	@Override
	public String describe() {
		return "memory";
	}

	@Override
	public void close() {
		this.logs.clear();
		this.inspections.clear();
	}

	private record Counted(String rule, Subject subject) {

		static Counted by(Question question) {
			return new Counted(question.limit().rule(), question.subject());
		}

	}

}
