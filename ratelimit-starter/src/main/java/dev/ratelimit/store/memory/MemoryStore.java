package dev.ratelimit.store.memory;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Answer.Fate;
import dev.ratelimit.store.GiveBack;
import dev.ratelimit.store.Inspector;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.PermitCounter;
import dev.ratelimit.store.Question;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.Taken;
import dev.ratelimit.store.Usage;
import dev.ratelimit.store.WaitRange;

/**
 * Counts on the heap of this instance, on an injected clock. Exact and atomic per rule
 * and subject, without a lock that two subjects share for longer than a hash bin. Holds
 * about 130 bytes per permit inside its window, never more permits per subject than the
 * largest threshold. It runs no thread: whoever asks looks after two other subjects and
 * drops those whose longest window has passed, so at most as many idle subjects stay as
 * there are busy ones; where nobody may ask for long, somebody has to {@link #sweep}.
 */
public final class MemoryStore implements RateLimitStore {

	private static final String NAME = "memory";

	private static final int INSPECTED_PER_QUESTION = 2;

	private static final Answer NOT_COUNTED = new Answer.Failed(StoreFailure.ERROR, Fate.NOT_TAKEN);

	private final InstantSource clock;

	private final Map<Counted, SubjectState> states = new ConcurrentHashMap<>();

	/** Every key of {@link #states} once, the one that waits longest for a look first. */
	private final Queue<Counted> inspections = new ConcurrentLinkedQueue<>();

	/**
	 * Create an empty store.
	 * @param clock the time, counted in microseconds
	 */
	public MemoryStore(InstantSource clock) {
		this.clock = clock;
	}

	@Override
	public List<Answer> ask(List<Question> questions, Duration maxWait) {
		List<Answer> answers = new ArrayList<>(questions.size());
		for (Question question : questions) {
			answers.add(ask(question));
		}
		return answers;
	}

	private Answer ask(Question question) {
		return decide(question, (state) -> {
			if (question.turn().isPresent()) {
				return turn(state, question, question.turn().get());
			}
			return question.isAhead() ? Reservation.ask(state, question, nowMicros())
					: state.ask(question.limit(), question.permit().text(), question.cost(), nowMicros());
		});
	}

	/** No other state was made for a question that can be put off. */
	private Answer turn(SubjectState state, Question question, WaitRange wait) {
		return (state instanceof LeakyBucket bucket) ? LeakyBucketTurn.ask(bucket, question, wait, nowMicros())
				: SlidingWindowLogTurn.ask((SlidingWindowLog) state, question, wait, nowMicros());
	}

	private Answer decide(Question question, Function<SubjectState, Answer> decision) {
		Answer[] answer = new Answer[1];
		this.states.compute(Counted.by(question), (counted, existing) -> {
			SubjectState state = existing;
			if (state == null) {
				state = newState(question.limit());
				this.inspections.add(counted);
			}
			// Here the clock is read in the order in which the state is written.
			answer[0] = decision.apply(state);
			return state;
		});
		inspect(INSPECTED_PER_QUESTION);
		return answer[0];
	}

	@Override
	public Optional<PermitCounter> counter() {
		return Optional.of((permits, maxWait) -> permits.stream().map(this::count).toList());
	}

	private Answer count(Taken taken) {
		Question question = taken.question();
		return decide(question, (state) -> (state instanceof CountingState counting)
				? counting.count(question.limit(), question.cost(), taken.receipts(), nowMicros()) : NOT_COUNTED);
	}

	private static SubjectState newState(Limit limit) {
		return switch (limit.algorithm()) {
			case SLIDING_WINDOW_LOG -> new SlidingWindowLog();
			case SLIDING_WINDOW_COUNTER -> new SlidingWindowCounter();
			case FIXED_WINDOW -> new FixedWindow();
			case TOKEN_BUCKET -> new TokenBucket();
			case LEAKY_BUCKET -> new LeakyBucket();
		};
	}

	@Override
	public List<GiveBack> giveBack(List<Taken> permits, Duration maxWait) {
		return permits.stream().map(this::giveBack).toList();
	}

	private GiveBack giveBack(Taken taken) {
		Question question = taken.question();
		Limit limit = question.limit();
		// Nobody was ever given more than the smallest capacity.
		long cost = Math.min(question.cost(), limit.smallestCapacity());
		// Only a log knows its permits without a receipt.
		boolean[] acknowledged = { limit.algorithm() == Algorithm.SLIDING_WINDOW_LOG || !taken.receipts().isEmpty() };
		this.states.computeIfPresent(Counted.by(question), (counted, state) -> {
			acknowledged[0] = (question.turn().isPresent() && state instanceof LeakyBucket bucket)
					? bucket.giveBackTurn(limit, cost, taken.receipts())
					: state.giveBack(limit, SlidingWindowLogTurn.id(question), cost, taken.receipts());
			return state;
		});
		return acknowledged[0] ? GiveBack.ACKNOWLEDGED : GiveBack.LOST;
	}

	@Override
	public Optional<Inspector> inspector() {
		return Optional.of(new MemoryInspector(this));
	}

	List<Usage> peek(Limit limit, Subject subject) {
		List<List<Usage>> found = new ArrayList<>(1);
		this.states.compute(new Counted(limit.rule(), limit.algorithm(), subject), (counted, existing) -> {
			found.add(((existing != null) ? existing : newState(limit)).peek(limit, nowMicros()));
			return existing;
		});
		return found.get(0);
	}

	void forget(Limit limit, Subject subject) {
		Counted counted = new Counted(limit.rule(), limit.algorithm(), subject);
		if (this.states.remove(counted) != null) {
			this.inspections.remove(counted);
		}
	}

	/**
	 * Drop subjects whose longest window has passed.
	 * @param most how many are looked at, those first that have waited longest for a look
	 */
	public void sweep(int most) {
		inspect(Math.min(most, this.states.size()));
	}

	private void inspect(int most) {
		long nowMicros = nowMicros();
		for (int i = 0; i < most; i++) {
			Counted counted = this.inspections.poll();
			if (counted != null && this.states.computeIfPresent(counted,
					(key, state) -> state.isIdle(nowMicros) ? null : state) != null) {
				this.inspections.add(counted);
			}
		}
	}

	private long nowMicros() {
		Instant now = this.clock.instant();
		return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
	}

	int subjects() {
		return this.states.size();
	}

	@Override
	public String shard(Question question) {
		return NAME;
	}

	@Override
	public String describe() {
		return NAME;
	}

	@Override
	public void close() {
		this.states.clear();
		this.inspections.clear();
	}

	private record Counted(String rule, Algorithm algorithm, Subject subject) {

		static Counted by(Question question) {
			return new Counted(question.limit().rule(), question.limit().algorithm(), question.subject());
		}

	}

}
