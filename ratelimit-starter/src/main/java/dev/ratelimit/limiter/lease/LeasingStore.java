package dev.ratelimit.limiter.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.rule.Mode;
import dev.ratelimit.store.Answer;
import dev.ratelimit.store.GiveBack;
import dev.ratelimit.store.Question;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.Taken;

/**
 * Asks a store for permits of leased rules ahead, and spends them without it. The first
 * request of a subject asks for what it needs, and so do those that come while another
 * one asks; whoever finds a lease used up or over asks for the next one, as large as the
 * demand. There is no thread and no timer per key.
 * <p>
 * A lease is spent on this instance's monotonic clock, from before the store was asked,
 * so a request that is paused, or whose answer comes late, spends nothing that does not
 * count any more. A grant whose answer is lost is never spent. While the store cannot
 * answer, what is leased is spent to its end; then questions fail as the store does.
 * <p>
 * A decision out of a lease costs two map look-ups, a clock read, a counter, and the
 * answer. Rules of other modes pass through at the cost of a look at each.
 */
final class LeasingStore implements RateLimitStore {

	private final RateLimitStore store;

	private final Leases leases;

	/**
	 * Put leases before a store.
	 * @param store the store
	 * @param leases the leases, which know the time
	 */
	LeasingStore(RateLimitStore store, Leases leases) {
		this.store = store;
		this.leases = leases;
	}

	@Override
	public List<Answer> ask(List<Question> questions, Duration maxWait) {
		if (!isAnyLeased(questions)) {
			return this.store.ask(questions, maxWait);
		}
		long now = this.leases.nanoTime();
		Answer[] answers = new Answer[questions.size()];
		List<Asked> open = new ArrayList<>(answers.length);
		for (int i = 0; i < answers.length; i++) {
			Question question = questions.get(i);
			if (isLeased(question)) {
				LimitLeases limit = leasesOf(question);
				Optional<Holding> holding = limit.of(question.subject(), now);
				Optional<Answer> known = holding.flatMap((held) -> held.answer(question.cost(), now));
				if (known.isPresent()) {
					answers[i] = known.get();
				}
				else {
					open.add(Asked.of(i, question, limit.terms(), holding, this.leases, now));
				}
			}
			else {
				open.add(Asked.strictly(i, question));
			}
		}
		if (!open.isEmpty()) {
			ask(open, answers, maxWait);
		}
		return Arrays.asList(answers);
	}

	private void ask(List<Asked> open, Answer[] answers, Duration maxWait) {
		try {
			List<Answer> found = this.store.ask(open.stream().map(Asked::question).toList(), maxWait);
			for (int i = 0; i < found.size(); i++) {
				answers[open.get(i).place()] = open.get(i).answered(found.get(i));
			}
		}
		finally {
			open.forEach(Asked::end);
		}
	}

	private static boolean isAnyLeased(List<Question> questions) {
		for (int i = 0; i < questions.size(); i++) {
			if (isLeased(questions.get(i))) {
				return true;
			}
		}
		return false;
	}

	private static boolean isLeased(Question question) {
		return question.limit().mode() instanceof Mode.Leased;
	}

	@Override
	public List<GiveBack> giveBack(List<Taken> permits, Duration maxWait) {
		GiveBack[] ends = new GiveBack[permits.size()];
		List<Taken> ofStore = new ArrayList<>(permits.size());
		for (int i = 0; i < ends.length; i++) {
			Taken taken = permits.get(i);
			if (!isLeased(taken.question())) {
				ofStore.add(taken);
			}
			else if (Receipts.isOfLease(taken.receipts())) {
				ends[i] = unspend(taken) ? GiveBack.ACKNOWLEDGED : GiveBack.LOST;
			}
			else {
				ofStore.add(new Taken(asked(taken.question()), Receipts.forStore(taken.receipts())));
			}
		}
		if (!ofStore.isEmpty()) {
			List<GiveBack> found = this.store.giveBack(ofStore, maxWait);
			int next = 0;
			for (int i = 0; i < ends.length; i++) {
				if (!isLeased(permits.get(i).question()) || !Receipts.isOfLease(permits.get(i).receipts())) {
					ends[i] = found.get(next++);
				}
			}
		}
		return Arrays.asList(ends);
	}

	/** What another rule has refused is left for the next request. */
	private boolean unspend(Taken taken) {
		Question question = taken.question();
		return leasesOf(question).find(question.subject())
			.filter((holding) -> holding.unspend(taken.receipts().get(0), question.cost(), this.leases.nanoTime()))
			.isPresent();
	}

	private LimitLeases leasesOf(Question question) {
		return this.leases.of(question.limit(), (Mode.Leased) question.limit().mode());
	}

	private Question asked(Question question) {
		return new Question(leasesOf(question).terms().asked(), question.subject(), question.cost(), question.permit());
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
		this.leases.giveAllBack();
		this.store.close();
	}

}
