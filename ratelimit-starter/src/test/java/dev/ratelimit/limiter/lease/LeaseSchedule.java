package dev.ratelimit.limiter.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.limiter.TestLimiter;
import dev.ratelimit.limiter.TestPipeline;
import dev.ratelimit.limiter.source.Slot;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.memory.MemoryStore;

/**
 * What may happen to some instances that lease permits of one limit for one subject, all
 * of it chosen by one number: requests at once, slow and lost replies, pauses, crashes,
 * ends, new rule sets, clocks that run at different rates, refusals by other rules.
 */
final class LeaseSchedule {

	private static final int REQUESTS = 120;

	private static final Subject SUBJECT = new Subject("s");

	private final Random random;

	private final RLConfig rule;

	private final VirtualTime time;

	private final MemoryStore store;

	private final long lifeMicros;

	private final List<Instance> instances = new ArrayList<>();

	private final Map<String, Long> grantedMicros = new HashMap<>();

	private final List<Admission> admissions = new ArrayList<>();

	private int permits;

	private long leased;

	LeaseSchedule(long seed) {
		this.random = new Random(seed);
		this.rule = rule();
		this.time = new VirtualTime(this.random, this::anything);
		this.store = new MemoryStore(this.time.clock());
		this.lifeMicros = LeaseTerms.of(Limit.of(this.rule), (Mode.Leased) this.rule.counting().mode()).life().toNanos()
				/ 1000;
	}

	/** Permits that were admitted at an instant. */
	record Admission(long micros, long cost) {
	}

	private RLConfig rule() {
		List<RLThreshold> thresholds = new ArrayList<>();
		long window = 20L + this.random.nextInt(80);
		long count = 1L + this.random.nextInt(40);
		thresholds.add(new RLThreshold(count, Duration.ofMillis(window)));
		if (this.random.nextInt(3) == 0) {
			thresholds.add(new RLThreshold(count + this.random.nextInt(30), Duration.ofMillis(2 * window + 7)));
		}
		Optional<Duration> time = this.random.nextBoolean() ? Optional.empty()
				: Optional.of(Duration.ofMillis(10 + this.random.nextInt((int) window - 10)));
		Optional<Long> size = (this.random.nextInt(4) > 0) ? Optional.empty()
				: Optional.of(1 + (long) this.random.nextInt((int) count));
		List<Algorithm> algorithms = Mode.ModeKind.LEASED.algorithms();
		return RLConfig.builder("simulated")
			.algorithm(algorithms.get(this.random.nextInt(algorithms.size())))
			.mode(new Mode.Leased(time, size))
			.thresholds(thresholds)
			.build();
	}

	/** Run the schedule. */
	void run() {
		for (int i = 1 + this.random.nextInt(4); i > 0; i--) {
			this.instances.add(new Instance());
		}
		long gap = this.rule.allowances().thresholds().get(0).windowLength().toNanos() / 1000
				/ (1 + this.random.nextInt(40));
		while (this.permits < REQUESTS) {
			this.time.pass(2 * gap);
			anything();
		}
	}

	RLConfig config() {
		return this.rule;
	}

	List<Admission> admissions() {
		return this.admissions;
	}

	long leased() {
		return this.leased;
	}

	private void anything() {
		int place = this.random.nextInt(this.instances.size());
		Instance instance = this.instances.get(place);
		switch (this.random.nextInt(60)) {
			case 0, 1, 2 -> instance.leases.tidy();
			case 3 -> instance.crash(place);
			case 4 -> instance.limit = Limit.of(this.rule);
			case 5 -> {
				instance.leases.close();
				instance.crash(place);
			}
			case 6, 7, 8, 9, 10 -> instance.renewals.run();
			default -> instance.request();
		}
	}

	/** An instance of the application. */
	private final class Instance {

		/** The rate at which its clock runs fast or slow, as a slewed clock may. */
		private final double rate = 1 + (LeaseSchedule.this.random.nextDouble() - 0.5) / 1000;

		private final long offsetNanos = LeaseSchedule.this.random.nextLong();

		private final FaultyLink link = new FaultyLink(LeaseSchedule.this.store, LeaseSchedule.this.time,
				LeaseSchedule.this.random, LeaseSchedule.this.grantedMicros, LeaseSchedule.this.lifeMicros);

		private final RenewalsByHand renewals = new RenewalsByHand();

		private final Leases leases = this.renewals.leases(TestLimiter.over(this.link, () -> 0).remote(),
				this::readClock);

		private final TestPipeline pipeline = TestPipeline.leasing(this.leases, this.link, this::readClock);

		private Limit limit = Limit.of(LeaseSchedule.this.rule);

		private boolean lives = true;

		/** A thread that has read the clock may be paused before it acts on it. */
		private long readClock() {
			long micros = LeaseSchedule.this.time.micros();
			long nanos = this.offsetNanos + (long) (micros * 1000 * this.rate);
			if (LeaseSchedule.this.random.nextInt(14) == 0) {
				LeaseSchedule.this.time.pass(LeaseSchedule.this.lifeMicros);
			}
			return nanos;
		}

		void crash(int place) {
			this.lives = false;
			LeaseSchedule.this.instances.set(place, new Instance());
		}

		void request() {
			LeaseSchedule outer = LeaseSchedule.this;
			long cost = (outer.random.nextInt(6) == 0) ? 1 + outer.random.nextInt(3) : 1;
			String id = "p" + outer.permits++;
			AcquireRequest request = new AcquireRequest(this.limit, SUBJECT, cost, new PermitId(id));
			long before = outer.time.micros();
			Slot slot = this.pipeline.acquire(request);
			if (!this.lives) {
				return;
			}
			if (slot.result() instanceof AcquireResult.Admitted) {
				boolean leased = slot.source() == Source.LEASE;
				outer.leased += leased ? 1 : 0;
				admit(leased ? before : outer.grantedMicros.getOrDefault(id, before), slot);
			}
		}

		private void admit(long micros, Slot slot) {
			Admission admission = new Admission(micros, slot.request().cost());
			if (LeaseSchedule.this.random.nextInt(10) > 0) {
				LeaseSchedule.this.admissions.add(admission);
			}
			else {
				// Another rule refuses, and the reply of the store may be slow.
				LeaseSchedule.this.time.pass(LeaseSchedule.this.lifeMicros);
				this.pipeline.release(slot);
			}
		}

	}

}
