package dev.ratelimit.benchmarks;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Runs all contenders in turn, round after round, each between two runs of the floor. A
 * temporary disturbance of the machine affects both, so their ratio stays the same.
 * Before that, each contender runs until the JVM has compiled it. A sample is repeated if
 * the host of this machine gave much of its time to others meanwhile, because the host
 * would then determine the result.
 */
final class PairedRounds {

	private static final double WARM_UP_SHARE = 0.3;

	/**
	 * At rest, the compiler of the JVM works for a smaller share of the time than this.
	 */
	private static final double RESTING_SHARE = 0.05;

	private static final int RESTING_RUNS = 2;

	private static final int LONGEST_WARM_UP = 20;

	private static final int MOST_RUNS_BEFORE_A_SAMPLE = 8;

	/**
	 * The smallest share that can be measured in a quarter of a second on two processors.
	 */
	private static final double UNDISTURBED_SHARE = 0.02;

	private static final int MOST_TRIES = 6;

	private static final CompilationMXBean COMPILER = ManagementFactory.getCompilationMXBean();

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
	 * Measure a suite.
	 * @param suite the workload and its contenders
	 * @return the results, in the order of the peers
	 */
	List<Result> run(Suite suite) throws InterruptedException {
		Workload workload = suite.workload();
		List<Peer> peers = suite.peers();
		Map<Peer, List<Paired>> pairs = new LinkedHashMap<>();
		peers.forEach((peer) -> pairs.put(peer, new ArrayList<>()));
		for (Peer peer : peers) {
			int runs = warmUp(workload, peer);
			this.progress.report("%s, warmed up with %d runs: %s", workload.id(), runs, peer.title());
		}
		for (int round = 1; round <= this.rounds; round++) {
			Sample before = measure(workload, suite.floor());
			for (Peer peer : peers) {
				Sample sample = measure(workload, peer);
				Sample after = measure(workload, suite.floor());
				Paired paired = new Paired(sample, before, after);
				pairs.getOrDefault(peer, new ArrayList<>()).add(paired);
				this.progress.report("%s, round %d of %d: %s %,.0f/s, %.2f x floor", workload.id(), round, this.rounds,
						peer.title(), sample.perSecond(), paired.timesFloor());
				before = after;
			}
		}
		return pairs.entrySet().stream().map((entry) -> Result.of(entry.getKey(), entry.getValue())).toList();
	}

	/**
	 * Run until the JVM has compiled the code: on two cores its compiler takes time from
	 * the measured contender, and the more so the younger the JVM is.
	 */
	private int warmUp(Workload workload, Peer peer) throws InterruptedException {
		int resting = 0;
		int runs = 0;
		while (resting < RESTING_RUNS && runs < LONGEST_WARM_UP) {
			resting = isCompiledWhileItRuns(workload, peer) ? 0 : resting + 1;
			runs++;
		}
		return runs;
	}

	private boolean isCompiledWhileItRuns(Workload workload, Peer peer) throws InterruptedException {
		try (RedisAdmin admin = this.redis.admin()) {
			admin.flush();
			try (Contender contender = peer.open(this.redis, workload)) {
				return isCompiledWhile(new LoadLoop(workload, contender, admin), this.time);
			}
		}
	}

	private static boolean isCompiledWhile(LoadLoop loop, Duration time) throws InterruptedException {
		long before = COMPILER.getTotalCompilationTime();
		loop.run(time);
		return COMPILER.getTotalCompilationTime() - before > RESTING_SHARE * time.toMillis();
	}

	private Sample measure(Workload workload, Peer peer) throws InterruptedException {
		Sample sample = measureOnce(workload, peer);
		for (int tries = 1; sample.stolenShare() > UNDISTURBED_SHARE && tries < MOST_TRIES; tries++) {
			this.progress.report("%s: the host took %.0f %% of the machine from %s, again", workload.id(),
					100 * sample.stolenShare(), peer.title());
			Sample another = measureOnce(workload, peer);
			sample = (another.stolenShare() < sample.stolenShare()) ? another : sample;
		}
		return sample;
	}

	/**
	 * A newly opened contender may need further compilation, so it is warmed up again.
	 */
	private Sample measureOnce(Workload workload, Peer peer) throws InterruptedException {
		try (RedisAdmin admin = this.redis.admin()) {
			admin.flush();
			try (Contender contender = peer.open(this.redis, workload)) {
				LoadLoop loop = new LoadLoop(workload, contender, admin);
				Duration warmUp = Duration.ofMillis((long) (WARM_UP_SHARE * this.time.toMillis()));
				int runs = 1;
				while (isCompiledWhile(loop, warmUp) && runs < MOST_RUNS_BEFORE_A_SAMPLE) {
					runs++;
				}
				return loop.run(this.time);
			}
		}
	}

	/**
	 * A sample and the floor samples next to it.
	 *
	 * @param sample the sample
	 * @param before the floor just before it
	 * @param after the floor just after it
	 */
	record Paired(Sample sample, Sample before, Sample after) {

		double timesFloor() {
			return times(Sample::perSecond);
		}

		double stolenShare() {
			return Math.max(this.sample.stolenShare(), Math.max(this.before.stolenShare(), this.after.stolenShare()));
		}

		/** A figure of the sample, as a multiple of the mean of its neighbours. */
		double times(ToDoubleFunction<Sample> figure) {
			double floor = (figure.applyAsDouble(this.before) + figure.applyAsDouble(this.after)) / 2;
			return figure.applyAsDouble(this.sample) / floor;
		}

	}

}
