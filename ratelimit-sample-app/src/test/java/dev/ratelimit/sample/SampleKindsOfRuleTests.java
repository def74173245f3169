package dev.ratelimit.sample;

import java.time.Duration;

import dev.ratelimit.test.AutoConfigureTestRateLimits;
import dev.ratelimit.test.RateLimitClock;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

import static dev.ratelimit.test.RateLimitMatcher.limit;
import static dev.ratelimit.test.RateLimitMatcher.rejected;
import static dev.ratelimit.test.RateLimitMatcher.rejectedBy;
import static dev.ratelimit.test.RateLimitMatcher.remaining;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * One endpoint for each kind of rule that the articles describe, on a clock that the
 * tests move.
 */
@SpringBootTest(properties = "sample.redis=external")
@AutoConfigureMockMvc
@AutoConfigureTestRateLimits
class SampleKindsOfRuleTests {

	@Autowired
	private MockMvcTester mvc;

	@Autowired
	private RateLimitClock clock;

	private MvcTestResult signUp(String email) {
		return this.mvc.post()
			.uri("/accounts")
			.contentType(MediaType.APPLICATION_JSON)
			.content("{\"email\":\"%s\"}".formatted(email))
			.exchange();
	}

	@Test
	@DisplayName("4.3 An address creates twenty accounts a day, and requests refused as invalid do not count")
	void twentyAccountsADay() {
		for (int i = 0; i < 20; i++) {
			assertThat(signUp("a" + i + "@example.org")).hasStatus(HttpStatus.CREATED).matches(remaining(19 - i));
			assertThat(signUp("no address")).matches((i < 19) ? remaining(18 - i) : rejected());
		}
		assertThat(signUp("late@example.org")).matches(rejectedBy("create-account"));
		this.clock.advance(Duration.ofDays(1));
		assertThat(signUp("next-day@example.org")).hasStatus(HttpStatus.CREATED);
	}

	private MvcTestResult pay(String device, String card) {
		return this.mvc.post()
			.uri("/payments")
			.header("X-Device-Id", device)
			.contentType(MediaType.APPLICATION_JSON)
			.content("{\"card\":\"%s\",\"cents\":999}".formatted(card))
			.exchange();
	}

	@Test
	@DisplayName("4.4 A device may fail to pay five times a day; successful payments do not count")
	void fiveFailedPaymentsADay() {
		String good = "4242424242424242";
		String declined = "4000000000000002";
		for (int i = 0; i < 5; i++) {
			assertThat(pay("phone", good)).hasStatusOk();
			assertThat(pay("phone", declined)).hasStatus(HttpStatus.PAYMENT_REQUIRED);
		}
		assertThat(pay("phone", good)).matches(rejectedBy("failed-payment"));
		assertThat(pay("tablet", good)).hasStatusOk();
		this.clock.advance(Duration.ofDays(1));
		assertThat(pay("phone", good)).hasStatusOk();
	}

	private MvcTestResult send(String sender, String text) {
		return this.mvc.post()
			.uri("/messages")
			.contentType(MediaType.APPLICATION_JSON)
			.content("{\"sender\":\"%s\",\"text\":\"%s\"}".formatted(sender, text))
			.exchange();
	}

	@Test
	@DisplayName("4.5 A sender sends one message with risky words a day, and harmless ones besides")
	void oneRiskyMessageADay() {
		assertThat(send("mallory", "You won the lottery")).hasStatus(HttpStatus.ACCEPTED);
		assertThat(send("mallory", "An inheritance awaits you")).hasStatus(HttpStatus.TOO_MANY_REQUESTS)
			.hasHeader("Retry-After", "86400");
		assertThat(send("mallory", "See you at noon")).hasStatus(HttpStatus.ACCEPTED);
		assertThat(send("alice", "Who plays the lottery?")).hasStatus(HttpStatus.ACCEPTED);
		this.clock.advance(Duration.ofDays(1));
		assertThat(send("mallory", "The lottery again")).hasStatus(HttpStatus.ACCEPTED);
	}

	private MvcTestResult offers(String customer, String plan) {
		return this.mvc.get().uri("/offers").header("X-Customer", customer).header("X-Plan", plan).exchange();
	}

	@Test
	void offersAreLimitedByPlanAndOneCustomerByContract() {
		assertThat(offers("bob", "free")).matches(limit(200)).matches(remaining(199));
		assertThat(offers("bob", "Paid")).matches(limit(10_000)).matches(remaining(9_998));
		assertThat(offers("acme", "paid")).matches(limit(50)).matches(remaining(49));
		assertThat(offers("staff", "internal")).hasStatusOk().matches(limit(60_000));
		assertThat(offers("mallory", "suspended")).hasStatus(HttpStatus.FORBIDDEN).doesNotContainHeader("Retry-After");
	}

	@Test
	void aStricterLimitIsTriedWithoutRefusingRequests(@Autowired MeterRegistry meters) {
		double before = wouldBeRefused(meters);
		for (int i = 0; i < 120; i++) {
			assertThat(offers("bob", "free")).hasStatusOk().matches(limit(200));
		}
		assertThat(wouldBeRefused(meters) - before).isEqualTo(20);
	}

	private static double wouldBeRefused(MeterRegistry meters) {
		return meters.get("ratelimit.requests")
			.tags("rule", "list-offers-stricter", "outcome", "rejected", "source", "store", "shadow", "true")
			.counter()
			.count();
	}

	@Test
	@DisplayName("1.4 An offer is redeemed a thousand times a day over all customers")
	void anOfferIsCapped() {
		for (int i = 0; i < 1000; i++) {
			assertThat(redeem("ten-percent")).hasStatusOk();
		}
		assertThat(redeem("ten-percent")).matches(rejectedBy("redeem-offer"));
		assertThat(redeem("free-shipping")).hasStatusOk();
	}

	private MvcTestResult redeem(String offer) {
		return this.mvc.post().uri("/offers/{offer}/redeem", offer).exchange();
	}

}
