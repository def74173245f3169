package dev.ratelimit.limiter.lease;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;

import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Answer.Fate;
import dev.ratelimit.store.GiveBack;
import dev.ratelimit.store.Question;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Taken;

/**
 * The way to the store: requests and replies take their time, or are lost.
 */
final class FaultyLink implements RateLimitStore {

	private final RateLimitStore store;

	private final VirtualTime time;

	private final Random random;

	private final Map<String, Long> grantedMicros;

	private final long lifeMicros;

	/**
	 * Create a link.
	 * @param store the store
	 * @param time passes under way
	 * @param random chooses what happens
	 * @param grantedMicros where it is noted when the store has decided, by permit
	 * @param lifeMicros of a lease, to which the longest ways are compared
	 */
	FaultyLink(RateLimitStore store, VirtualTime time, Random random, Map<String, Long> grantedMicros,
			long lifeMicros) {
		this.store = store;
		this.time = time;
		this.random = random;
		this.grantedMicros = grantedMicros;
		this.lifeMicros = lifeMicros;
	}

	@Override
	public List<Answer> ask(List<Question> questions, Duration maxWait) {
		return questions.stream().map(this::ask).toList();
	}

	private Answer ask(Question question) {
		way();
		if (this.random.nextInt(20) == 0) {
			return new Answer.Failed(StoreFailure.TIMEOUT, this.random.nextBoolean() ? Fate.NOT_TAKEN : Fate.UNKNOWN);
		}
		Answer answer = this.store.ask(List.of(question), Duration.ofMillis(50)).get(0);
		this.grantedMicros.put(question.permit().text(), this.time.micros());
		way();
		if (this.random.nextInt(12) > 0) {
			return answer;
		}
		if (this.random.nextBoolean()) {
			return new Answer.Failed(StoreFailure.TIMEOUT, Fate.UNKNOWN);
		}
		giveBack(question, answer);
		return new Answer.Failed(StoreFailure.TIMEOUT, Fate.AWAITED);
	}

	/** What a store does about an answer that came too late. */
	private void giveBack(Question question, Answer answer) {
		if (answer instanceof Answer.Admitted admitted) {
			this.store.giveBack(List.of(new Taken(question, admitted.receipts())), Duration.ZERO);
		}
		if (answer instanceof Answer.Reserved reserved) {
			this.store.giveBack(List.of(new Taken(question.of(reserved.permits()), reserved.receipts())),
					Duration.ZERO);
		}
	}

	private void way() {
		this.time.pass((this.random.nextInt(10) == 0) ? 2 * this.lifeMicros : this.lifeMicros / 50);
	}

	@Override
	public List<GiveBack> giveBack(List<Taken> permits, Duration maxWait) {
		way();
		if (this.random.nextInt(10) == 0) {
			return permits.stream().map((taken) -> GiveBack.LOST).toList();
		}
		List<GiveBack> ends = this.store.giveBack(permits, maxWait);
		way();
		return ends;
	}

	@Override
	public String shard(Question question) {
		return this.store.shard(question);
	}

	@Override
	public String describe() {
		return "faulty";
	}

	@Override
	public void close() {
		// The store goes on.
	}

}
