package dev.ratelimit.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.ratelimit.fixture.Sneaky;
import dev.ratelimit.queue.QueueListener.HandlingResult;
import dev.ratelimit.support.Listeners;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

class QueueListenersTests {

	private static final QueueStatus STATUS = new QueueStatus(List.of("i10.0.0.1"), Optional.empty(), 1, 0,
			Duration.ZERO);

	private final Logger logger = (Logger) LoggerFactory.getLogger(Listeners.class);

	private final ListAppender<ILoggingEvent> log = new ListAppender<>();

	private final List<String> notified = new ArrayList<>();

	@BeforeEach
	void attach() {
		this.log.start();
		this.logger.addAppender(this.log);
		this.logger.setAdditive(false);
	}

	@AfterEach
	void detach() {
		this.logger.detachAppender(this.log);
		this.logger.setAdditive(true);
	}

	/** A bean of the application that always throws. */
	private static final class Throwing implements QueueListener {

		@Override
		public void seen(String rule, QueueStatus status) {
			throw new IllegalStateException("of " + status.due());
		}

		@Override
		public void handedOver(String rule, Duration age) {
			throw Sneaky.checked("handed over");
		}

		@Override
		public void handled(String rule, HandlingResult outcome) {
			throw new AssertionError();
		}

	}

	private final class Recording implements QueueListener {

		@Override
		public void seen(String rule, QueueStatus status) {
			QueueListenersTests.this.notified.add("seen " + status.queued());
		}

		@Override
		public void handedOver(String rule, Duration age) {
			QueueListenersTests.this.notified.add("handed over after " + age);
		}

		@Override
		public void handled(String rule, HandlingResult outcome) {
			QueueListenersTests.this.notified.add("handled " + outcome);
		}

	}

	@Test
	void aListenerThatThrowsStopsNeitherOthersNorTheQueue() {
		QueueListener all = QueueListener.all(List.of(new Throwing(), new Recording()));
		all.seen("orders", STATUS);
		all.handedOver("orders", Duration.ofSeconds(1));
		all.handled("orders", HandlingResult.DONE);
		assertThat(this.notified).containsExactly("seen 1", "handed over after PT1S", "handled DONE");
	}

	@Test
	void aWarningIsLoggedOnceAndNamesNoClient() {
		QueueListener all = QueueListener.all(List.of(new Throwing()));
		all.seen("orders", STATUS);
		all.seen("orders", STATUS);
		assertThat(this.log.list).filteredOn((event) -> event.getLevel() == Level.WARN)
			.singleElement()
			.satisfies((event) -> {
				assertThat(event.getFormattedMessage()).contains(Throwing.class.getName(), "IllegalStateException")
					.doesNotContain("10.0.0.1");
				assertThat(event.getThrowableProxy()).isNull();
			});
	}

}
