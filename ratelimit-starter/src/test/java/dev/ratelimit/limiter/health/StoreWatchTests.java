package dev.ratelimit.limiter.health;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Sneaky;
import dev.ratelimit.store.StoreFailure;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What log, events and health report of trouble with the store. Time moves second by
 * second, as the maintenance thread checks it.
 */
class StoreWatchTests {

	private static final String STORE = "Redis at 10.0.0.1:6379";

	private final MovableClock clock = new MovableClock();

	private final List<Object> events = new ArrayList<>();

	private final List<StoreFailure> unanswered = new ArrayList<>();

	private final List<StoreListener.CallResult> called = new ArrayList<>();

	private Optional<String> lastFailure = Optional.empty();

	private final StoreWatch watch = new StoreWatch(STORE, () -> this.lastFailure, new Counting(), this.events::add,
			this.clock::nanoTime);

	private final Logger logger = (Logger) LoggerFactory.getLogger(StoreWatch.class);

	private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

	@BeforeEach
	void listen() {
		this.appender.start();
		this.logger.addAppender(this.appender);
		// An application that ran before in this JVM may have raised the level.
		this.logger.setLevel(Level.INFO);
	}

	@AfterEach
	void stopListening() {
		this.logger.detachAppender(this.appender);
		this.logger.setLevel(null);
	}

	private void secondsPass(int seconds, Runnable eachSecond) {
		for (int second = 0; second < seconds; second++) {
			eachSecond.run();
			this.watch.report();
			this.clock.advance(Duration.ofSeconds(1));
		}
	}

	private void fail(StoreFailure failure) {
		this.watch.unanswered(failure);
	}

	private List<String> levels() {
		return this.appender.list.stream().map((event) -> event.getLevel().toString()).toList();
	}

	@Test
	void reportsNothingWhileTheStoreAnswers() {
		secondsPass(20, this.watch::answered);
		assertThat(this.appender.list).isEmpty();
		assertThat(this.events).isEmpty();
		assertThat(this.watch.outage()).isEmpty();
	}

	@Test
	void warnsOnceAndReportsTheEndOnce() {
		this.lastFailure = Optional.of("10.0.0.1:6379: Connection refused");
		secondsPass(3600, () -> fail(StoreFailure.UNREACHABLE));
		secondsPass(3600, this.watch::answered);
		assertThat(this.appender.list).extracting(ILoggingEvent::getFormattedMessage)
			.containsExactly(
					STORE + " does not answer (UNREACHABLE: 10.0.0.1:6379: Connection refused). Until it does, each "
							+ "rule follows its on-store-failure.",
					STORE + " answers again; 3600 requests went unanswered.");
		assertThat(levels()).containsExactly("WARN", "INFO");
	}

	@Test
	void overloadOfTheApplicationIsNoTroubleOfTheStore() {
		secondsPass(61, () -> fail(StoreFailure.OVERLOADED));
		assertThat(this.watch.outage()).isEmpty();
		assertThat(this.events).isEmpty();
		assertThat(this.unanswered).hasSize(61).containsOnly(StoreFailure.OVERLOADED);
		assertThat(levels()).containsExactly("WARN", "WARN");
		assertThat(this.appender.list).extracting(ILoggingEvent::getFormattedMessage)
			.allMatch((line) -> line.contains("this application is overloaded"))
			.noneMatch((line) -> line.contains("does not answer"));
	}

	@Test
	void intermittentTroubleWarnsOnceAMinute() {
		for (int i = 0; i < 10; i++) {
			fail(StoreFailure.TIMEOUT);
			secondsPass(12, this.watch::answered);
		}
		assertThat(levels()).containsExactly("WARN", "INFO", "WARN", "INFO");
		assertThat(this.events).hasSize(20);
	}

	@Test
	void troubleThatNeedsAnOperatorIsAnErrorAMinute() {
		this.lastFailure = Optional.of("10.0.0.1:6379: WRONGPASS invalid username-password pair");
		secondsPass(181, () -> {
			fail(StoreFailure.NOT_PERMITTED);
			fail(StoreFailure.CIRCUIT_OPEN);
		});
		assertThat(levels()).containsExactly("ERROR", "ERROR", "ERROR", "ERROR");
		assertThat(this.appender.list.get(1).getFormattedMessage())
			.startsWith(STORE + " refuses the limiter (NOT_PERMITTED: 10.0.0.1:6379: WRONGPASS")
			.contains("122 requests");
		secondsPass(20, this.watch::answered);
		assertThat(levels()).endsWith("INFO");
	}

	@Test
	void eventsReportWhenTroubleBeginsAndEnds() {
		secondsPass(30, () -> fail(StoreFailure.TIMEOUT));
		assertThat(this.events).containsExactly(new RateLimitStoreDegradedEvent(STORE, StoreFailure.TIMEOUT));
		secondsPass(9, this.watch::answered);
		assertThat(this.events).hasSize(1);
		secondsPass(2, this.watch::answered);
		assertThat(this.events).hasSize(2)
			.contains(new RateLimitStoreRecoveredEvent(STORE, Duration.ofSeconds(29), 30));
		assertThat(this.watch.outage()).isEmpty();
	}

	@Test
	void silenceIsNoAnswer() {
		secondsPass(1, () -> fail(StoreFailure.TIMEOUT));
		secondsPass(600, () -> {
		});
		assertThat(this.watch.outage()).isPresent();
	}

	@Test
	void oneDeadNodeAmongHealthyOnesIsNotOverWithEveryAnswer() {
		secondsPass(59, () -> {
			fail(StoreFailure.UNREACHABLE);
			this.watch.answered();
		});
		assertThat(levels()).containsExactly("WARN");
		assertThat(this.events).hasSize(1);
	}

	@Test
	void anOpenCircuitIsNoReason() {
		fail(StoreFailure.EXHAUSTED);
		fail(StoreFailure.CIRCUIT_OPEN);
		assertThat(this.watch.outage()).hasValueSatisfying((outage) -> {
			assertThat(outage.reason()).isEqualTo(StoreFailure.EXHAUSTED);
			assertThat(outage.unanswered()).isEqualTo(2);
		});
		assertThat(this.unanswered).containsExactly(StoreFailure.EXHAUSTED, StoreFailure.CIRCUIT_OPEN);
	}

	@Test
	void oneNodeThatRefusesTheLimiterCountsAlsoWhileAnotherOneIsAway() {
		secondsPass(10, () -> {
			fail(StoreFailure.NOT_PERMITTED);
			fail(StoreFailure.UNREACHABLE);
		});
		assertThat(this.watch.outage().orElseThrow().notPermitted()).isTrue();
		secondsPass(61, () -> fail(StoreFailure.UNREACHABLE));
		assertThat(this.watch.outage().orElseThrow().notPermitted()).isFalse();
	}

	@Test
	void aMissingPermissionIsNoLongerReportedWithoutFurtherCalls() {
		secondsPass(1, () -> fail(StoreFailure.NOT_PERMITTED));
		assertThat(this.watch.outage().orElseThrow().notPermitted()).isTrue();
		secondsPass(60, () -> {
		});
		assertThat(this.watch.outage().orElseThrow().notPermitted()).isFalse();
	}

	@Test
	void timeOutsAreNoRefusalsInWhateverOrderTheyCome() {
		this.clock.advance(Duration.ofMillis(1));
		long now = this.clock.nanoTime();
		StoreOutage outage = StoreOutage.begin(StoreFailure.TIMEOUT, now).failed(StoreFailure.TIMEOUT, now - 100);
		assertThat(outage.asOf(now).notPermitted()).isFalse();
		assertThat(outage.failed(StoreFailure.NOT_PERMITTED, now - 100).asOf(now).notPermitted()).isTrue();
	}

	@Test
	void aListenerThatThrowsDoesNotAffectTheOthers() {
		StoreListener throwing = new StoreListener() {

			@Override
			public void called(CallResult outcome, long nanos) {
				throw Sneaky.checked("called");
			}

			@Override
			public void unanswered(StoreFailure failure) {
				throw Sneaky.checked("unanswered");
			}

		};
		StoreListener all = StoreListener.all(List.of(throwing, new Counting()));
		all.called(StoreListener.CallResult.SUCCESS, 1);
		all.unanswered(StoreFailure.ERROR);
		assertThat(this.called).containsExactly(StoreListener.CallResult.SUCCESS);
		assertThat(this.unanswered).containsExactly(StoreFailure.ERROR);
	}

	private final class Counting implements StoreListener {

		@Override
		public void called(CallResult outcome, long nanos) {
			StoreWatchTests.this.called.add(outcome);
		}

		@Override
		public void unanswered(StoreFailure failure) {
			StoreWatchTests.this.unanswered.add(failure);
		}

	}

}
