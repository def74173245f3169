package dev.ratelimit.limiter.sync;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

import dev.ratelimit.rule.Mode;
import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Answer.Fate;
import dev.ratelimit.store.GiveBack;
import dev.ratelimit.store.Question;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Taken;

/**
 * Answers the questions of synced rules on this instance as far as it may, and asks the
 * store the others, all in one call: the first of a subject, and what is more than may be
 * admitted without asking.
 */
final class SyncedStore implements RateLimitStore {

	private static final Answer NO_ANSWER = new Answer.Failed(StoreFailure.ERROR, Fate.UNKNOWN);

	private final RateLimitStore store;

	private final Synchronizer synchronizer;

	private final LongSupplier nanoTime;

	SyncedStore(RateLimitStore store, Synchronizer synchronizer, LongSupplier nanoTime) {
		this.store = store;
		this.synchronizer = synchronizer;
		this.nanoTime = nanoTime;
	}

	@Override
	public List<Answer> ask(List<Question> questions, Duration maxWait) {
		if (!containsSynced(questions)) {
			return this.store.ask(questions, maxWait);
		}
		long now = this.nanoTime.getAsLong();
		List<Optional<Answer>> known = new ArrayList<>(questions.size());
		List<Question> asked = new ArrayList<>(questions.size());
		List<Optional<Flight>> flights = new ArrayList<>(questions.size());
		for (Question question : questions) {
			Optional<Cell> cell = cell(question);
			Optional<Answer> answer = cell.flatMap((found) -> found.decide(question.cost(), now));
			known.add(answer);
			if (answer.isEmpty()) {
				asked.add(question);
				flights.add(cell.map((found) -> found.ask(question.cost(), now)));
			}
		}
		return merge(known, asked.isEmpty() ? List.of() : ask(asked, flights, maxWait));
	}

	private static boolean containsSynced(List<Question> questions) {
		for (int i = 0; i < questions.size(); i++) {
			if (questions.get(i).limit().mode() instanceof Mode.Synced) {
				return true;
			}
		}
		return false;
	}

	private Optional<Cell> cell(Question question) {
		return (question.limit().mode() instanceof Mode.Synced synced)
				? Optional.of(this.synchronizer.limit(question.limit(), synced).cell(question.subject()))
				: Optional.empty();
	}

	private List<Answer> ask(List<Question> questions, List<Optional<Flight>> flights, Duration maxWait) {
		List<Answer> answers = Collections.nCopies(questions.size(), NO_ANSWER);
		try {
			answers = this.store.ask(questions, maxWait);
			return answers;
		}
		finally {
			land(flights, answers, this.nanoTime.getAsLong());
		}
	}

	/** Whatever happened, a cell has to hear of it. */
	private static void land(List<Optional<Flight>> flights, List<Answer> answers, long nowNanos) {
		for (int i = 0; i < answers.size(); i++) {
			Answer answer = answers.get(i);
			flights.get(i).ifPresent((flight) -> flight.cell().answered(flight, answer, nowNanos));
		}
	}

	private static List<Answer> merge(List<Optional<Answer>> known, List<Answer> asked) {
		List<Answer> all = new ArrayList<>(known.size());
		int next = 0;
		for (Optional<Answer> answer : known) {
			all.add(answer.isPresent() ? answer.get() : asked.get(next++));
		}
		return all;
	}

	@Override
	public List<GiveBack> giveBack(List<Taken> permits, Duration maxWait) {
		List<Boolean> local = new ArrayList<>(permits.size());
		List<Taken> others = new ArrayList<>(permits.size());
		for (Taken taken : permits) {
			long left = cell(taken.question()).map((cell) -> cell.takeBack(taken)).orElse(taken.question().cost());
			local.add(left == 0);
			if (left > 0) {
				others.add(taken.of(left));
			}
		}
		List<GiveBack> ends = others.isEmpty() ? List.of() : this.store.giveBack(others, maxWait);
		List<GiveBack> all = new ArrayList<>(permits.size());
		int next = 0;
		for (boolean here : local) {
			all.add(here ? GiveBack.ACKNOWLEDGED : ends.get(next++));
		}
		return all;
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
