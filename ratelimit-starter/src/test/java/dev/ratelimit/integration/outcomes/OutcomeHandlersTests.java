package dev.ratelimit.integration.outcomes;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.integration.outcomes.OutcomeApp.Payments;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.SharedCluster;
import dev.ratelimit.limiter.DecisionListener;
import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.limiter.rules.ActiveRules;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * However a handler ends, the status that the client sees is the outcome, and it is
 * settled when the client has its response.
 */
@ExtendWith(SharedCluster.class)
class OutcomeHandlersTests {

	/** A request is for the rule of whose name it has a header. */
	private static final String YAML = SharedCluster.yaml()
			+ """
					ratelimit.rules:
					  failure: {paths: '/payments/**', key: 'header:failure', on-missing-key: skip, thresholds: 1/1d, count-on: failure}
					  success: {paths: '/payments/**', key: 'header:success', on-missing-key: skip, thresholds: 1/1d, count-on: success}
					  errors: {paths: '/payments/**', key: 'header:errors', on-missing-key: skip, thresholds: 1/1d, count-on: '402,5xx'}
					  found: {paths: '/payments/**', key: 'header:found', on-missing-key: skip, thresholds: 1/1d, count-on: 200}
					  declined: {paths: '/payments/**', key: 'header:declined', on-missing-key: skip, thresholds: 1/1d, count-on: 402}
					  invalid: {paths: '/payments/**', key: 'header:invalid', on-missing-key: skip, thresholds: 1/1d, count-on: 422}
					""";

	private static final List<String> RULES = List.of("failure", "success", "errors", "found");

	@AutoClose
	private static App app;

	/** With a handler of all exceptions. */
	@AutoClose
	private static App catching;

	/** With a handler of some exceptions. */
	@AutoClose
	private static App declining;

	private static Payments payments;

	@BeforeAll
	static void start() {
		app = App.start(YAML, Payments.class, ReleaseCounter.class);
		catching = App.start(YAML, Payments.class, CatchAll.class);
		declining = App.start(YAML, Payments.class, Declining.class);
		payments = app.bean(Payments.class);
	}

	private static boolean counts(String rule, int status) {
		return app.bean(ActiveRules.class).get().ruleSet().find(rule).orElseThrow().counting().countOn().counts(status);
	}

	static Stream<Arguments> handlersAndRules() {
		return Stream.of("answer/200", "answer/402", "answer/404", "answer/503", "send-error/404", "send-error/503",
				"redirect/302", "throw/500", "throw/409", "callable/200", "callable/402", "callable-without-body/402",
				"callable-throws/500", "deferred/200", "deferred/402", "deferred-error/500", "deferred-timeout/503",
				"streaming/200", "streaming/402", "reset-then-write/402", "complete/200", "complete/402",
				"complete-unwrapped/200", "complete-unwrapped/402", "rounds/200", "rounds/402", "no-such-path/404",
				"sets-then-throws/500", "view-of-another/500")
			.flatMap((path) -> RULES.stream().map((rule) -> Arguments.of(path, rule)));
	}

	@ParameterizedTest
	@MethodSource("handlersAndRules")
	void aPermitStaysCountedIfTheStatusCountsAndIsElseReleasedWithTheResponse(String path, String rule) {
		int status = Integer.parseInt(path.substring(path.lastIndexOf('/') + 1));
		assertThat(app.get("/payments/" + path, rule, path).statusCode()).isEqualTo(status);
		assertThat(app.get("/payments/answer/200", rule, path).statusCode())
			.isEqualTo(counts(rule, status) ? 429 : 200);
	}

	/** Else a client could have the work done, and its permit back. */
	@ParameterizedTest
	@CsvSource({ "accounts, Accept, image/png, 406", "statement, Range, bytes=9-1, 416",
			"modified, If-Unmodified-Since, 'Thu, 01 Jan 1970 00:00:01 GMT', 412" })
	void aStatusThatTheClientChoosesCountsIfTheHandlerHasRun(String path, String header, String value, int status) {
		for (String rule : RULES) {
			int before = payments.handled.get();
			assertThat(app.get("/payments/" + path, rule, path, header, value).statusCode()).isEqualTo(status);
			assertThat(payments.handled).as("the handler has run").hasValue(before + 1);
			assertThat(app.get("/payments/answer/200", rule, path).statusCode()).isEqualTo(429);
		}
	}

	/** Whatever status an application gives it: here 500, which is no success. */
	@ParameterizedTest
	@CsvSource({ "accounts, x", "accounts, image/png", "reactive, x" })
	void aResponseThatTheClientDoesNotAcceptCountsIfTheHandlerHasRun(String path, String accept) {
		String client = path + " as " + accept;
		assertThat(catching.get("/payments/" + path, "success", client, "Accept", accept).statusCode()).isEqualTo(500);
		assertThat(catching.get("/payments/" + path, "success", client).statusCode()).isEqualTo(429);
	}

	/** MVC finds a converter for the first, and none for the charset of the others. */
	@ParameterizedTest
	@CsvSource({ "view, text/html;charset=ISO-2022-CN", "text, text/plain;charset=ISO-2022-CN",
			"accounts-in-json, application/json;charset=ISO-8859-1",
			"accounts-in-json, 'text/html, application/json;charset=IBM037;q=0.9'" })
	void aCharsetThatNoConverterCanWriteCountsIfTheHandlerHasRun(String path, String accept) {
		int before = payments.handled.get();
		String[] device = { "success", path + accept, "Accept", accept };
		assertThat(app.get("/payments/" + path, device).statusCode()).isEqualTo(500);
		assertThat(payments.handled).as("the handler has run").hasValue(before + 1);
		assertThat(app.get("/payments/answer/200", device).statusCode()).isEqualTo(429);
	}

	/** Else a client could hide the failures that are counted, such as guessed cards. */
	@Test
	void theStatusOfAnExceptionHandlerWhoseBodyCannotBeWrittenCounts() {
		for (String rule : new String[] { "declined", "success" }) {
			assertThat(declining.get("/payments/throw/500", rule, "a", "Accept", "image/png").statusCode())
				.isEqualTo(500);
			assertThat(declining.get("/payments/answer/200", rule, "a").statusCode()).as(rule)
				.isEqualTo("declined".equals(rule) ? 429 : 200);
		}
	}

	/** MVC has a response of its own to some exceptions. */
	@Test
	void itCountsAlsoWhereAnotherResolverAnswers() {
		assertThat(declining.get("/payments/not-valid?amount=x", "invalid", "a", "Accept", "image/png").statusCode())
			.isEqualTo(400);
		assertThat(declining.get("/payments/answer/200", "invalid", "a").statusCode()).isEqualTo(429);
	}

	@RestControllerAdvice
	static class Declining {

		@ExceptionHandler(IllegalStateException.class)
		@ResponseStatus(HttpStatus.PAYMENT_REQUIRED)
		List<String> declined() {
			return List.of("declined");
		}

		@ExceptionHandler(MethodArgumentTypeMismatchException.class)
		@ResponseStatus(HttpStatus.UNPROCESSABLE_CONTENT)
		List<String> notValid() {
			return List.of("not valid");
		}

	}

	@RestControllerAdvice
	static class CatchAll {

		@ExceptionHandler(Exception.class)
		ResponseEntity<String> any(Exception exception) {
			return ResponseEntity.internalServerError().body("failed");
		}

	}

	/** Else a client that reads in parts, or has read before, would read for free. */
	@ParameterizedTest
	@CsvSource({ "statement, Range, bytes=0-9, 206",
			"modified, If-Modified-Since, 'Thu, 01 Jan 2026 00:00:00 GMT', 304" })
	void aPartOrACopyOfASuccessCountsLikeTheSuccess(String path, String header, String value, int status) {
		for (String rule : RULES) {
			String device = header + " " + path;
			assertThat(app.get("/payments/" + path, rule, device, header, value).statusCode()).isEqualTo(status);
			assertThat(app.get("/payments/answer/200", rule, device).statusCode())
				.isEqualTo(counts(rule, 200) ? 429 : 200);
		}
	}

	@Test
	void aStatusThatTheClientChoosesIsLikeAnyOtherIfNoHandlerHasRun() {
		String[] device = { "success", "in-json", "Accept", "image/png" };
		assertThat(app.get("/payments/accounts-in-json", device).statusCode()).isEqualTo(406);
		assertThat(app.get("/payments/answer/200", device).statusCode()).isEqualTo(200);
	}

	/** Tomcat reports the timeout when the response has been sent. */
	@Test
	void anAsyncRequestThatIsNotCompletedIsSettledAtItsTimeout() {
		String[] device = { "success", "never" };
		assertThat(app.get("/payments/never-complete/500", device).statusCode()).isEqualTo(500);
		Awaitility.await().until(() -> app.get("/payments/answer/402", device).statusCode() == 402);
		assertThat(app.get("/payments/answer/200", device).statusCode()).isEqualTo(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "answer/200", "callable/200", "deferred/200", "streaming/200", "complete/200",
			"complete-unwrapped/200", "rounds/200", "large/8192", "large/65536", "large/1000000" })
	void aRequestRightAfterTheResponseFindsThePermitReleased(String path) {
		for (int i = 0; i < 50; i++) {
			assertThat(app.get("/payments/" + path, "failure", "again " + path).statusCode()).isEqualTo(200);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "answer/200", "answer/402", "send-error/404", "redirect/302", "throw/500", "throw/409",
			"callable/200", "callable-without-body/402", "callable-throws/500", "deferred/200", "deferred-timeout/503",
			"streaming/200", "complete/200", "complete-unwrapped/200", "rounds/200", "declared/length/200",
			"declared/header/200", "declared/added-header/200", "declared/int-header/200", "declared/long/200" })
	void theClientHasNoResponseBeforeThePermitIsReleased(String path) throws InterruptedException {
		int status = Integer.parseInt(path.substring(path.lastIndexOf('/') + 1));
		String rule = (status < 400) ? "failure" : "success";
		ReleaseCounter releases = app.bean(ReleaseCounter.class);
		releases.order.clear();
		releases.responded = new CountDownLatch(1);
		assertThat(app.get("/payments/" + path, rule, "order " + path).statusCode()).isEqualTo(status);
		releases.responded.countDown();
		assertThat(releases.order.poll(5, TimeUnit.SECONDS)).isEqualTo("released, then answered");
	}

	/** Delays the notification of a released permit, so that a client may be first. */
	static final class ReleaseCounter implements DecisionListener {

		private final BlockingQueue<String> order = new LinkedBlockingQueue<>();

		private volatile CountDownLatch responded = new CountDownLatch(0);

		@Override
		public void decided(RuleRequest ruleRequest, RateLimitDecision decision, Outcome outcome, long nanos) {
		}

		@Override
		public void undecided(String rule, Outcome outcome) {
		}

		@Override
		public void late(String rule) {
		}

		@Override
		public void released(String rule, boolean acknowledged) {
			try {
				boolean late = this.responded.await(200, TimeUnit.MILLISECONDS);
				this.order.add(late ? "answered, then released" : "released, then answered");
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

	}

}
