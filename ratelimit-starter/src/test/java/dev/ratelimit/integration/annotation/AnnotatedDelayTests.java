package dev.ratelimit.integration.annotation;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.RateLimitExceededException;
import dev.ratelimit.RateLimited;
import dev.ratelimit.RateLimited.OnLimit;
import dev.ratelimit.integration.support.App;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * {@code @RateLimited(onLimit = DELAY)}: a call waits for its turn.
 */
class AnnotatedDelayTests {

	private static final String MEMORY = "ratelimit.store: memory";

	static class Sender {

		private final AtomicInteger sent = new AtomicInteger();

		int sent() {
			return this.sent.get();
		}

		@RateLimited(thresholds = "1/300ms", key = "global", onLimit = OnLimit.DELAY, maxWait = "1m")
		void send() {
			this.sent.incrementAndGet();
		}

		@RateLimited(value = "rare", thresholds = "1/1h", key = "global", onLimit = OnLimit.DELAY, maxWait = "1s")
		void sendRarely() {
			this.sent.incrementAndGet();
		}

		@RateLimited(value = "paced", thresholds = "9/1h", key = "global", onLimit = OnLimit.DELAY)
		@RateLimited(value = "hard", thresholds = "1/1h", key = "global")
		void sendOnce() {
			this.sent.incrementAndGet();
		}

	}

	static class Bucket {

		@RateLimited(thresholds = "1/1s", key = "global", algorithm = "token-bucket", onLimit = OnLimit.DELAY)
		void send() {
		}

	}

	static class Endless {

		@RateLimited(thresholds = "1/1s", key = "global", onLimit = OnLimit.DELAY, maxWait = "10")
		void send() {
		}

	}

	@RestController
	static class Handler {

		@GetMapping("/delayed")
		@RateLimited(thresholds = "1/1s", onLimit = OnLimit.DELAY)
		String handle() {
			return "";
		}

	}

	@AutoClose
	private static App app;

	private static Sender sender;

	@BeforeAll
	static void start() {
		app = App.start(MEMORY, Sender.class);
		sender = app.bean(Sender.class);
	}

	@Test
	void aCallWaitsForItsTurn() {
		int before = sender.sent();
		long start = System.nanoTime();
		for (int i = 0; i < 4; i++) {
			sender.send();
		}
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(900));
		assertThat(sender.sent()).isEqualTo(before + 4);
	}

	@Test
	void aCallWithoutATurnInTimeIsRefused() {
		sender.sendRarely();
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(sender::sendRarely)
			.withMessage("Rate limit reached: rare");
	}

	@Test
	void aRuleThatDoesNotDelayRefusesAndTheTurnIsReleased() {
		sender.sendOnce();
		for (int i = 0; i < 20; i++) {
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(sender::sendOnce)
				.withMessage("Rate limit reached: hard");
		}
	}

	@Test
	void anAnnotationThatCannotDelayStopsTheStart() {
		assertThat(catchThrowable(() -> App.start(MEMORY, Bucket.class).close())).message()
			.contains("onLimit", "gives no turns", "sliding-window-log");
		assertThat(catchThrowable(() -> App.start(MEMORY, Endless.class).close())).message()
			.contains("maxWait", "'10'", "500ms");
		assertThat(catchThrowable(() -> App.start(MEMORY, Handler.class).close())).message()
			.contains("onLimit", "has no place on a controller");
	}

}
