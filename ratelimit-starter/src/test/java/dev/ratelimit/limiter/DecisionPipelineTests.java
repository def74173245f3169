package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.fixture.Caller;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.fixture.RecordingListener;
import dev.ratelimit.fixture.RecordingStore;
import dev.ratelimit.limiter.instances.InstanceShare;
import dev.ratelimit.limiter.source.EstimatedWindows;
import dev.ratelimit.limiter.source.PermitOwner;
import dev.ratelimit.limiter.source.PermitSource;
import dev.ratelimit.limiter.source.Slot;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.Mode.ModeKind;
import dev.ratelimit.rule.OnStoreFailure;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.memory.MemoryStore;
import dev.ratelimit.support.WaitBudget;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * The order of the stages.
 */
@ParameterizedClass
@EnumSource
class DecisionPipelineTests {

	@Parameter
	private Caller caller;

	private final MovableClock clock = new MovableClock();

	private final List<String> stages = new ArrayList<>();

	private final RecordingStore store = new RecordingStore(new MemoryStore(this.clock));

	private final DecisionPipeline pipeline = pipeline(new Source());

	private final RuleRequest strict = request(RLConfig.builder("strict").thresholds("1/1m"));

	private final RuleRequest leased = request(
			RLConfig.builder("leased").mode(Mode.LEASED).onStoreFailure(OnStoreFailure.LOCAL).thresholds("100/1m"));

	private DecisionPipeline pipeline(PermitSource source) {
		return TestLimiter.over(this.store, this.clock)
			.denyCache(Duration.ofMinutes(1))
			.source(ModeKind.LEASED, source)
			.fallback(new Fallback(new MemoryStore(this.clock), this::share))
			.listener(new RecordingListener(this.stages))
			.pipeline();
	}

	private static RuleRequest request(RLConfigBuilder rule) {
		CompiledRule compiled = CompiledRule.of(rule.build(), 64, true);
		return new RuleRequest(compiled, compiled.standard(), new Subject("s"), 1);
	}

	private InstanceShare share() {
		this.stages.add("count what failed on this instance");
		return InstanceShare.WHOLE;
	}

	@BeforeEach
	void traceTheStore() {
		this.store.duringCalls(() -> this.stages.add("call the store"));
	}

	private boolean decide(RuleRequest... requests) {
		this.stages.clear();
		return this.caller
			.obtain(this.pipeline.decide(List.of(requests), new WaitBudget(Patience.LONG), DecisionListener.none()))
			.isAdmitted();
	}

	@Test
	void sourcesThenTheStoreThenTheFallbackThenReleases() {
		assertThat(decide(this.strict)).isTrue();
		assertThat(this.stages).containsExactly("call the store");
		this.store.failFor("leased");
		assertThat(decide(this.leased, this.strict)).isFalse();
		assertThat(this.stages).containsExactly("offer leased to its source", "call the store",
				"report the result to the source of leased", "count what failed on this instance", "leased released");
	}

	@Test
	void aKnownRefusalEndsADecisionBeforeAllOtherStages() {
		assertThat(decide(this.strict)).isTrue();
		assertThat(decide(this.strict)).isFalse();
		assertThat(this.stages).containsExactly("call the store");
		assertThat(decide(this.leased, this.strict)).isFalse();
		assertThat(this.stages).isEmpty();
	}

	@Test
	void aRequestThatItsSourceAnswersDoesNotReachTheStore() {
		PermitSource answering = new Source() {
			@Override
			public void offer(Slot slot, long nowNanos) {
				slot.answer(new AcquireResult.Refused(List.of()), RateLimitDecision.Source.LEASE, PermitOwner.STORE,
						slot.request());
			}
		};
		assertThat(decideWith(answering)).isFalse();
		assertThat(this.stages).isEmpty();
	}

	@Test
	void everySlotLandsThoughAnotherThrows() {
		PermitSource throwing = new Source() {
			@Override
			public void offer(Slot slot, long nowNanos) {
				slot.deferToStore(slot.request(), (landed, result, now) -> {
					DecisionPipelineTests.this.stages.add("landed");
					throw new IllegalArgumentException("cannot use " + result);
				});
			}
		};
		assertThatIllegalArgumentException().isThrownBy(() -> decideWith(throwing));
		assertThat(this.stages).containsExactly("call the store", "landed", "landed");
	}

	@Test
	void everySlotLandsThoughTheStoreThrows() {
		this.store.duringCalls(() -> {
			throw new IllegalStateException("broken");
		});
		assertThat(decide(this.leased, this.leased)).as("decided by on-store-failure").isTrue();
		assertThat(this.stages).containsExactly("offer leased to its source", "offer leased to its source",
				"report the result to the source of leased", "report the result to the source of leased",
				"count what failed on this instance", "count what failed on this instance");
	}

	@Test
	void everySlotLandsThoughASourceThrows() {
		PermitSource throwing = new Source() {
			@Override
			public void offer(Slot slot, long nowNanos) {
				if (!DecisionPipelineTests.this.stages.isEmpty()) {
					throw new OutOfMemoryError("of a test");
				}
				super.offer(slot, nowNanos);
			}
		};
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> decideWith(throwing));
		assertThat(this.stages).containsExactly("offer leased to its source",
				"report the result to the source of leased");
	}

	/** Two leased rules. */
	private boolean decideWith(PermitSource source) {
		return this.caller
			.obtain(pipeline(source).decide(List.of(this.leased, this.leased), new WaitBudget(Patience.LONG),
					DecisionListener.none()))
			.isAdmitted();
	}

	/** Lets the store decide. */
	private class Source implements PermitSource {

		@Override
		public @Nullable EstimatedWindows tryAcquire(Limit limit, Subject subject, long cost, long nowNanos) {
			return null;
		}

		@Override
		public RateLimitDecision.Source source() {
			return RateLimitDecision.Source.LEASE;
		}

		@Override
		public void offer(Slot slot, long nowNanos) {
			String rule = slot.request().limit().rule();
			DecisionPipelineTests.this.stages.add("offer " + rule + " to its source");
			slot.deferToStore(slot.request(), (landed, result, now) -> DecisionPipelineTests.this.stages
				.add("report the result to the source of " + rule));
		}

		@Override
		public Limit counted(Limit limit) {
			return limit;
		}

		@Override
		public long left(Limit limit, Subject subject) {
			return 0;
		}

		@Override
		public long unsynced(Limit limit, Subject subject) {
			return 0;
		}

		@Override
		public void forget(String rule, Subject subject) {
		}

		@Override
		public void restart() {
		}

		@Override
		public void close() {
		}

	}

}
