package dev.ratelimit.limiter.insight;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Subject;

/**
 * Tries the thresholds of one rule at half, once and twice their size on actual requests.
 * Each request of a client in the sample is decided again for each size, by the algorithm
 * of the rule. Its weight is the number of clients that each client of the sample
 * represents. The requests of the heaviest clients are all tried with weight one, so that
 * chance does not decide whether they are in the sample.
 * <p>
 * A log is recorded in ten parts of its window, so a trial admits again up to a tenth of
 * the window too early or too late. If several instances share a limit, each tries its
 * own requests as if all others admitted the same. The trial at size one, compared with
 * the actual refusals, shows how reliable the results are.
 * <p>
 * Takes at most 150 KiB per threshold of a log and 50 KiB per threshold of any other
 * algorithm, once enough clients have been seen. Safe for concurrent use.
 */
final class Trials {

	static final double[] FACTORS = { 0.5, 1, 2 };

	private static final int MOST_HEAVY = 64;

	/** From this part of its limit on, a client is near its limit. */
	private static final double NEAR = 0.8;

	private final boolean tries;

	private final IntSupplier instances;

	private final LongSupplier nanoTime;

	private final ClientSample sample = new ClientSample();

	/** The heaviest clients that are not in the sample. */
	private final Map<Subject, ClientOnTrial> heavy = new ConcurrentHashMap<>();

	private final LongAdder requests = new LongAdder();

	private final LongAdder refused = new LongAdder();

	private final LongAdder tried = new LongAdder();

	private final List<LongAdder> triedAndRefused = Arrays.stream(FACTORS)
		.mapToObj((factor) -> new LongAdder())
		.toList();

	/**
	 * Create trials without any data.
	 * @param tries whether requests are tried at all; if not, clients are only counted
	 * @param instances how many instances share the limit
	 * @param nanoTime a monotonic clock in nanoseconds
	 */
	public Trials(boolean tries, IntSupplier instances, LongSupplier nanoTime) {
		this.tries = tries;
		this.instances = instances;
		this.nanoTime = nanoTime;
	}

	/**
	 * Count a request that a rule decided, and try it if its client is on trial.
	 * @param subject the client
	 * @param hash a hash of the client that it cannot predict
	 * @param isHeavy whether it is one of the heaviest
	 * @param limit the limit of the client
	 * @param cost how many permits the request costs
	 * @param decision the decision, with the state of its windows
	 */
	public void add(Subject subject, long hash, boolean isHeavy, Limit limit, long cost, RateLimitDecision decision) {
		this.requests.increment();
		if (!decision.isAllowed()) {
			this.refused.increment();
		}
		boolean sampled = this.sample.takes(hash);
		if (!sampled && !isHeavy) {
			return;
		}
		ClientOnTrial client = sampled ? this.sample.find(subject, hash, limit) : findHeavy(subject, limit);
		if (decision.usedShare() >= NEAR) {
			client.comesNear();
		}
		if (this.tries) {
			count(client.attempt(limit, cost, this.instances.getAsInt(), this.nanoTime.getAsLong() / 1000),
					isHeavy ? 1 : this.sample.weight());
		}
	}

	/** There are few heavy clients at a time, but there may be many over the years. */
	private ClientOnTrial findHeavy(Subject subject, Limit limit) {
		if (this.heavy.size() > MOST_HEAVY) {
			this.heavy.clear();
		}
		return this.heavy.computeIfAbsent(subject, (added) -> new ClientOnTrial(limit));
	}

	private void count(int refused, long weight) {
		this.tried.add(weight);
		for (int i = 0; i < FACTORS.length; i++) {
			if ((refused & 1 << i) != 0) {
				this.triedAndRefused.get(i).add(weight);
			}
		}
	}

	/**
	 * Report the results of the trials.
	 * @return the evidence so far
	 */
	public Evidence evidence() {
		Collection<ClientOnTrial> clients = this.sample.clients();
		long weight = this.sample.weight();
		List<Evidence.Trial> trials = new ArrayList<>();
		for (int i = 0; i < (this.tries ? FACTORS.length : 0); i++) {
			int factor = i;
			double share = (double) this.triedAndRefused.get(i).sum() / Math.max(1, this.tried.sum());
			trials.add(new Evidence.Trial(FACTORS[i], share,
					weight * count(clients, (client) -> client.wasRefused(factor))));
		}
		return new Evidence(this.requests.sum(), this.refused.sum(), clients.size(), weight == 1,
				weight * clients.size(), weight * count(clients, ClientOnTrial::cameNear), trials);
	}

	private static long count(Collection<ClientOnTrial> clients, Predicate<ClientOnTrial> condition) {
		return clients.stream().filter(condition).count();
	}

}
