package dev.ratelimit.limiter;

import java.time.Duration;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.store.StoreFailure;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

class StoreFailureLogTests {

	private final MovableClock clock = new MovableClock();

	private final StoreFailureLog log = new StoreFailureLog("Redis at 10.0.0.1:6379", this.clock::nanoTime);

	private final Logger logger = (Logger) LoggerFactory.getLogger(StoreFailureLog.class);

	private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

	@BeforeEach
	void listen() {
		this.logger.setLevel(Level.DEBUG);
		this.appender.start();
		this.logger.addAppender(this.appender);
		// An application that ran before in this JVM may have quietened it.
		this.logger.setLevel(Level.INFO);
	}

	@AfterEach
	void stopListening() {
		this.logger.detachAppender(this.appender);
		this.logger.setLevel(null);
	}

	@Test
	void saysNothingWhileAllIsWell() {
		this.log.answered();
		assertThat(this.appender.list).isEmpty();
	}

	@Test
	void warnsWhenItBeginsWithStoreReasonAndConsequence() {
		this.log.failed(StoreFailure.TIMEOUT);
		assertThat(this.appender.list).singleElement().satisfies((event) -> {
			assertThat(event.getLevel()).hasToString("WARN");
			assertThat(event.getFormattedMessage())
				.startsWith("Redis at 10.0.0.1:6379 does not answer (TIMEOUT, 1 questions unanswered).")
				.contains("on-store-failure", "local means the whole threshold for this instance alone");
		});
	}

	@Test
	void warnsAtMostOnceAMinute() {
		for (int second = 0; second < 121; second++) {
			this.log.failed(StoreFailure.UNREACHABLE);
			this.clock.advance(Duration.ofSeconds(1));
		}
		assertThat(this.appender.list).extracting(ILoggingEvent::getFormattedMessage)
			.satisfiesExactly((first) -> assertThat(first).contains("1 questions"),
					(second) -> assertThat(second).contains("61 questions"),
					(third) -> assertThat(third).contains("121 questions"));
	}

	@Test
	void saysOnceThatItIsOver() {
		this.log.failed(StoreFailure.TIMEOUT);
		this.log.failed(StoreFailure.TIMEOUT);
		this.clock.advance(Duration.ofSeconds(10));
		this.log.answered();
		this.log.answered();
		assertThat(this.appender.list).extracting((event) -> event.getLevel().toString())
			.containsExactly("WARN", "INFO");
		assertThat(this.appender.list.get(1).getFormattedMessage())
			.isEqualTo("Redis at 10.0.0.1:6379 answers again; 2 questions went unanswered.");
	}

	@Test
	void oneDeadNodeAmongHealthyOnesIsNotOverWithEveryAnswer() {
		for (int second = 0; second < 59; second++) {
			this.log.failed(StoreFailure.UNREACHABLE);
			this.log.answered();
			this.clock.advance(Duration.ofSeconds(1));
			this.log.answered();
		}
		assertThat(this.appender.list).extracting((event) -> event.getLevel().toString()).containsExactly("WARN");
	}

}
