package dev.ratelimit.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Runs everybody in turn, round after round, each between two runs of the floor: what
 * disturbs the machine for a while disturbs both, and their ratio stays.
 */
final class PairedRounds {

	private static final double WARM_UP_SHARE = 0.3;

	private final Redis redis;

	private final int rounds;

	private final Duration time;

	private final Progress progress;

	PairedRounds(Redis redis, int rounds, Duration time, Progress progress) {
		this.redis = redis;
		this.rounds = rounds;
		this.time = time;
		this.progress = progress;
	}

	/**
	 * Measure.
	 * @param suite who takes part in what
	 * @return the results, in the order of the peers
	 */
	List<Result> run(Suite suite) throws InterruptedException {
		Workload workload = suite.workload();
		List<Peer> peers = suite.peers();
		Map<Peer, List<Paired>> pairs = new LinkedHashMap<>();
		peers.forEach((peer) -> pairs.put(peer, new ArrayList<>()));
		for (Peer peer : peers) {
			measure(workload, peer);
			this.progress.tell("%s, warmed up: %s", workload.id(), peer.title());
		}
		for (int round = 1; round <= this.rounds; round++) {
			Sample before = measure(workload, suite.floor());
			for (Peer peer : peers) {
				Sample sample = measure(workload, peer);
				Sample after = measure(workload, suite.floor());
				Paired paired = new Paired(sample, before, after);
				pairs.getOrDefault(peer, new ArrayList<>()).add(paired);
				this.progress.tell("%s, round %d of %d: %s %,.0f/s, %.2f x floor", workload.id(), round, this.rounds,
						peer.title(), sample.perSecond(), paired.timesFloor());
				before = after;
			}
		}
		return pairs.entrySet().stream().map((entry) -> Result.of(entry.getKey(), entry.getValue())).toList();
	}

	private Sample measure(Workload workload, Peer peer) throws InterruptedException {
		try (RedisAdmin admin = this.redis.admin()) {
			admin.flush();
			try (Contender contender = peer.open(this.redis, workload)) {
				LoadLoop loop = new LoadLoop(workload, contender, admin);
				loop.run(Duration.ofMillis((long) (WARM_UP_SHARE * this.time.toMillis())));
				return loop.run(this.time);
			}
		}
	}

	/**
	 * A sample and its neighbours.
	 *
	 * @param sample the sample
	 * @param before the floor just before it
	 * @param after the floor just after it
	 */
	record Paired(Sample sample, Sample before, Sample after) {

		double timesFloor() {
			return times(Sample::perSecond);
		}

		/** A figure of the sample, as a multiple of that of its neighbours. */
		double times(ToDoubleFunction<Sample> figure) {
			double floor = (figure.applyAsDouble(this.before) + figure.applyAsDouble(this.after)) / 2;
			return figure.applyAsDouble(this.sample) / floor;
		}

	}

}
