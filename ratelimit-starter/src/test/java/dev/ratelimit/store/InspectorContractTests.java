package dev.ratelimit.store;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.store.redis.SharedRedis;
import dev.ratelimit.test.StoreFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static dev.ratelimit.store.Results.window;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What every store promises an operator who looks at a client, on a clock that the test
 * moves.
 */
@ParameterizedClass
@EnumSource
@ExtendWith(SharedRedis.class)
class InspectorContractTests extends StoreFixture {

	private static final long SECOND = 1_000_000;

	private final TestedStore tested;

	InspectorContractTests(TestedStore tested) {
		this.tested = tested;
	}

	@Override
	protected RateLimitStore open(InstantSource clock) {
		return this.tested.open(clock);
	}

	static Stream<Limit> limits() {
		return Limits.ofEveryKind();
	}

	private List<Usage> peek(Limit limit) {
		return peek(limit, subject());
	}

	private List<Usage> peek(Limit limit, Subject subject) {
		Inspection inspection = store().capabilities().inspector().orElseThrow().peek(limit, subject, PATIENCE);
		return ((Inspection.Found) inspection).usage();
	}

	private void reset(Limit limit) {
		assertThat(store().capabilities().inspector().orElseThrow().reset(limit, subject(), PATIENCE)).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("limits")
	void aSubjectThatWasNeverCountedHasTheWholeLimit(Limit limit) {
		assertThat(peek(limit)).containsExactly(window(3, 0, 0), window(7, 0, 0));
	}

	@ParameterizedTest
	@MethodSource("limits")
	void aLookReportsWhatTheNextDecisionFinds(Limit limit) {
		Random random = new Random(42);
		for (int i = 0; i < 200; i++) {
			List<Usage> reported = peek(limit);
			assertThat(peek(limit)).as("a second look").isEqualTo(reported);
			AcquireResult result = acquire(limit);
			if (result instanceof AcquireResult.Admitted admitted) {
				assertThat(reported).extracting(Usage::retryMicros).containsOnly(0L);
				assertThat(reported).extracting((usage) -> usage.remaining() - 1)
					.isEqualTo(admitted.usage().stream().map(Usage::remaining).toList());
			}
			else if (limit.countRejected()) {
				assertThat(reported).as("step %d", i).anyMatch(Usage::refuses);
			}
			else {
				assertThat(reported).as("step %d", i).isEqualTo(((AcquireResult.Refused) result).usage());
			}
			advanceMicros((random.nextInt(40) == 0) ? -3 * SECOND : random.nextInt((int) (2 * SECOND)));
		}
	}

	@ParameterizedTest
	@MethodSource("limits")
	void afterTheClockHasSteppedBackNoReportedWaitIsLongerThanAWholeWindow(Limit limit) {
		IntStream.range(0, 3).forEach((i) -> acquire(limit));
		advance(Duration.ofHours(-1));
		List<Usage> reported = peek(limit);
		assertThat(reported).allSatisfy((usage) -> {
			assertThat(usage.retryMicros()).isLessThanOrEqualTo(usage.resetMicros());
			assertThat(usage.resetMicros()).isLessThanOrEqualTo(limit.horizon().toMillis() * 1000);
		});
		if (!limit.countRejected()) {
			assertThat(reported).isEqualTo(((AcquireResult.Refused) acquire(limit)).usage());
		}
	}

	@ParameterizedTest
	@MethodSource("limits")
	void theWaitThatALookReportsIsExact(Limit limit) {
		IntStream.range(0, 3).forEach((i) -> {
			acquire(limit);
			advanceMicros(SECOND / 3);
		});
		List<Usage> full = peek(limit);
		assertThat(full.get(0).remaining()).isZero();
		assertThat(full.get(1).remaining()).isEqualTo(4);
		assertThat(full).extracting(Usage::refuses).containsExactly(true, false);
		advanceMicros(full.get(0).retryMicros() - 1);
		assertThat(peek(limit).get(0).retryMicros()).isEqualTo(1);
		advanceMicros(1);
		assertThat(peek(limit).get(0).retryMicros()).isZero();
		assertThat(acquire(limit)).isInstanceOf(AcquireResult.Admitted.class);
	}

	@ParameterizedTest
	@MethodSource("limits")
	void aSubjectThatIsResetHasTheWholeLimitAtOnce(Limit limit) {
		while (acquire(limit) instanceof AcquireResult.Admitted) {
			advanceMicros(1);
		}
		reset(limit);
		assertThat(peek(limit)).containsExactly(window(3, 0, 0), window(7, 0, 0));
		assertThat(acquire(limit)).isInstanceOfSatisfying(AcquireResult.Admitted.class,
				(admitted) -> assertThat(admitted.usage()).extracting(Usage::remaining).containsExactly(2L, 6L));
		reset(limit);
		reset(limit);
	}

	@Test
	void noOtherSubjectIsReset() {
		Limit limit = Limits.of("forgetful", "3/60s");
		Limit other = Limits.of("remembering", "3/60s");
		Subject neighbour = new Subject(subject().text() + "x");
		acquire(limit);
		acquire(other);
		acquire(new AcquireRequest(limit, neighbour, 1, new PermitId("neighbour")));
		reset(limit);
		assertThat(peek(limit)).containsExactly(window(3, 0, 0));
		assertThat(peek(other)).containsExactly(window(2, 60 * SECOND, 0));
		assertThat(peek(limit, neighbour)).containsExactly(window(2, 60 * SECOND, 0));
	}

}
