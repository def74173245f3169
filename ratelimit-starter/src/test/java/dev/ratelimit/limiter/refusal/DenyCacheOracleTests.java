package dev.ratelimit.limiter.refusal;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Refill;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.BucketSequences;
import dev.ratelimit.store.CounterSequences;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.Sequence;
import dev.ratelimit.store.Sequence.Step;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.Usage;
import dev.ratelimit.store.memory.MemoryStore;
import dev.ratelimit.support.PropertyRuns;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.lifecycle.AfterContainer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random histories of all algorithms, with several thresholds and costs: a store behind a
 * deny cache decides what the same store decides without one.
 */
class DenyCacheOracleTests {

	private static final Subject SUBJECT = new Subject("client");

	private static final AtomicInteger REPEATED = new AtomicInteger();

	/** While a request and its reply travel, time goes on. */
	@Property(tries = 3000, edgeCases = EdgeCasesMode.NONE)
	void noRequestIsRefusedThatTheStoreWouldAdmit(@ForAll("sequences") Sequence sequence,
			@ForAll("longest") Duration longest, @ForAll @LongRange(max = 10_000_000) long travelMicros) {
		Run run = new Run(sequence.limit(), longest, travelMicros);
		for (Step step : sequence.steps()) {
			run.step(step.advanceMicros(), step.cost(),
					(repeated, result) -> assertThat(result).isInstanceOf(AcquireResult.Refused.class));
		}
	}

	/**
	 * A refused request keeps out all others of its cost, so nothing changes but time.
	 */
	@Property(tries = 3000, edgeCases = EdgeCasesMode.NONE)
	void requestsOfOneCostGetTheResultOfTheStore(@ForAll("sequences") Sequence sequence,
			@ForAll("longest") Duration longest, @ForAll @LongRange(min = 1, max = 3) long cost) {
		Run run = new Run(sequence.limit(), longest, 0);
		for (Step step : sequence.steps()) {
			run.step(step.advanceMicros(), cost, (repeated, result) -> assertSame(repeated, result, cost));
		}
	}

	private static void assertSame(List<Usage> repeated, AcquireResult result, long cost) {
		assertThat(result).isInstanceOf(AcquireResult.Refused.class);
		List<Usage> reported = ((AcquireResult.Refused) result).usage();
		assertThat(repeated).extracting(Usage::retryMicros)
			.isEqualTo(reported.stream().map(Usage::retryMicros).toList());
		assertThat(repeated).extracting(Usage::resetMicros)
			.isEqualTo(reported.stream().map(Usage::resetMicros).toList());
		for (int i = 0; i < reported.size(); i++) {
			assertThat(repeated.get(i).remaining()).isLessThanOrEqualTo(reported.get(i).remaining());
			if (cost == 1 && reported.get(i).refuses()) {
				assertThat(repeated.get(i)).isEqualTo(reported.get(i));
			}
		}
	}

	@Provide
	Arbitrary<Sequence> sequences() {
		return Arbitraries.oneOf(Sequence.forward().filter((sequence) -> !sequence.limit().countRejected()),
				CounterSequences.forward(Algorithm.SLIDING_WINDOW_COUNTER),
				CounterSequences.forward(Algorithm.FIXED_WINDOW),
				BucketSequences.forward(Algorithm.TOKEN_BUCKET, Refill.CONTINUOUS),
				BucketSequences.forward(Algorithm.TOKEN_BUCKET, Refill.INTERVAL),
				BucketSequences.forward(Algorithm.LEAKY_BUCKET, Refill.CONTINUOUS));
	}

	@Provide
	Arbitrary<Duration> longest() {
		return Arbitraries.of(Duration.ofSeconds(1), Duration.ofMinutes(1));
	}

	@AfterContainer
	static void manyRefusalsWereRepeated() {
		assertThat(REPEATED).hasValueGreaterThan(PropertyRuns.least(5_000));
	}

	/** Two stores that get the same requests at the same times, one of them fewer. */
	private static final class Run {

		private final MovableClock clock = new MovableClock();

		private final MemoryStore plain = new MemoryStore(this.clock);

		private final MemoryStore store = new MemoryStore(this.clock);

		private final Limit limit;

		private final DenyCache cache;

		private final long travelMicros;

		private int sent;

		Run(Limit limit, Duration longest, long travelMicros) {
			this.limit = limit;
			this.cache = new DenyCache(longest, 8);
			this.travelMicros = travelMicros;
		}

		void step(long advanceMicros, long cost, BiConsumer<List<Usage>, AcquireResult> repeated) {
			this.clock.advanceMicros(advanceMicros);
			AcquireRequest request = new AcquireRequest(this.limit, SUBJECT, cost, new PermitId("p" + ++this.sent));
			Optional<CachedRefusal> refusal = Optional
				.ofNullable(this.cache.find(this.limit, SUBJECT, cost, this.clock.nanoTime()));
			if (refusal.isPresent()) {
				REPEATED.incrementAndGet();
				AcquireResult again = refusal.get().again(this.clock.nanoTime()).result();
				repeated.accept(((AcquireResult.Refused) again).usage(), acquire(this.plain, request));
			}
			else {
				acquireAndRemember(request);
			}
		}

		private void acquireAndRemember(AcquireRequest request) {
			long sentNanos = this.clock.nanoTime();
			this.clock.advanceMicros(this.travelMicros);
			AcquireResult result = acquire(this.store, request);
			assertThat(acquire(this.plain, request)).isEqualTo(result);
			this.clock.advanceMicros(this.travelMicros);
			if (result instanceof AcquireResult.Refused refused) {
				this.cache.remember(request, refused.usage(), sentNanos, this.clock.nanoTime());
			}
		}

		private static AcquireResult acquire(MemoryStore store, AcquireRequest request) {
			return store.acquire(List.of(request), Patience.LONG).await().get(0);
		}

	}

}
