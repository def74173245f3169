package dev.ratelimit.web;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Allowed;
import dev.ratelimit.RateLimitDecision.Quota;
import dev.ratelimit.RateLimitDecision.Rejected;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.RateLimitDecision.Unavailable;
import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.PolicyField;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.RLWindow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

class RateLimitHeadersTests {

	private static final Instant NOW = Instant.parse("2026-01-01T00:00:00.400Z");

	private static Quota free(long limit, String window, long remaining) {
		return quota(limit, window, remaining, window, Optional.of(Duration.ZERO));
	}

	private static Quota refusing(long limit, String window, String retryAfter) {
		return quota(limit, window, 0, window, Optional.of(Duration.parse("PT" + retryAfter)));
	}

	/** A quota that does not refuse, beside one that does. */
	private static Quota waiting(long limit, String window, long remaining) {
		Duration length = Duration.parse("PT" + window);
		return new Quota("r-" + window, limit, limit, RLWindow.of(length), remaining, length,
				Optional.of(Duration.ZERO), Optional.empty());
	}

	private static Quota hopeless(long limit, String window) {
		return quota(limit, window, limit, window, Optional.empty());
	}

	private static Quota quota(long limit, String window, long remaining, String reset, Optional<Duration> retry) {
		return new Quota("r-" + window, limit, Duration.parse("PT" + window), remaining, Duration.parse("PT" + reset),
				retry);
	}

	private static RateLimitDecision allowed(Quota... quotas) {
		return new Allowed("r", Source.STORE, List.of(quotas));
	}

	private static RateLimitDecision rejected(Quota... quotas) {
		return new Rejected("r", Source.STORE, List.of(quotas));
	}

	private MockHttpServletResponse write(RateLimitDecision... decisions) {
		return write(true, true, false, decisions);
	}

	private MockHttpServletResponse write(boolean legacy, boolean ietf, boolean epochSeconds,
			RateLimitDecision... decisions) {
		MockHttpServletResponse response = new MockHttpServletResponse();
		String policyField = policyField("500/2s", "2000/10s");
		new RateLimitHeaders(legacy, ietf, epochSeconds, () -> NOW).write(
				Stream.of(decisions).map((decision) -> new ReportedDecision(policyField, decision, 1)).toList(),
				response::setHeader);
		return response;
	}

	private static String policyField(String... thresholds) {
		CompiledRule rule = CompiledRule.of(RLConfig.builder("r").thresholds(thresholds).build(), 64, false);
		return rule.standard().policyField();
	}

	private String tightest(RateLimitDecision... decisions) {
		MockHttpServletResponse response = write(decisions);
		return response.getHeader("X-RateLimit-Limit") + "/" + response.getHeader("X-RateLimit-Reset") + "s";
	}

	@Test
	void theTightestIsTheOneThatAdmitsTheFewestFurtherRequests() {
		assertThat(tightest(allowed(free(10, "1S", 5), free(100, "60S", 49)))).isEqualTo("10/1s");
		assertThat(tightest(allowed(free(10, "1S", 5), free(100, "60S", 4)))).isEqualTo("100/60s");
		assertThat(tightest(allowed(free(10, "1S", 5)), allowed(free(100, "60S", 4)))).isEqualTo("100/60s");
	}

	@Test
	void requestsAreCountedAtWhatTheyCostTheRule() {
		MockHttpServletResponse response = new MockHttpServletResponse();
		new RateLimitHeaders(true, true, false, () -> NOW)
			.write(List.of(new ReportedDecision("", allowed(free(10, "1S", 5)), 1),
					new ReportedDecision("", allowed(free(100, "60S", 14)), 3)), response::setHeader);
		assertThat(response.getHeader("X-RateLimit-Remaining")).isEqualTo("14");
	}

	@Test
	void ofThoseThatAdmitEquallyManyRequestsTheOneWithTheFewestPermitsIsTheTightest() {
		MockHttpServletResponse response = new MockHttpServletResponse();
		new RateLimitHeaders(true, true, false, () -> NOW)
			.write(List.of(new ReportedDecision("", allowed(free(100, "60S", 15)), 3),
					new ReportedDecision("", allowed(free(10, "1S", 5)), 1)), response::setHeader);
		assertThat(response.getHeader("X-RateLimit-Remaining")).isEqualTo("5");
	}

	/** The body, which does not know costs, describes the same quota. */
	@Test
	void costsDoNotMatterAmongEqualWaits() {
		Optional<Duration> wait = Optional.of(Duration.ofSeconds(1));
		List<RateLimitDecision> refusals = List.of(rejected(quota(100, "60S", 6, "60S", wait)),
				rejected(quota(10, "1S", 5, "1S", wait)));
		MockHttpServletResponse response = new MockHttpServletResponse();
		new RateLimitHeaders(true, true, false, () -> NOW).write(
				List.of(new ReportedDecision("", refusals.get(0), 7), new ReportedDecision("", refusals.get(1), 1)),
				response::setHeader);
		assertThat(response.getHeader("X-RateLimit-Limit")).isEqualTo("10");
		assertThat(RateLimitHeaders.tightest(refusals, Function.identity(), (refusal) -> 1).limit()).isEqualTo(10);
	}

	@Test
	void amongEqualRemaindersTheLongerResetIsTheTightest() {
		assertThat(tightest(allowed(free(3, "1S", 1), free(9, "60S", 1)))).isEqualTo("9/60s");
		assertThat(tightest(allowed(free(9, "60S", 1), free(3, "1S", 1)))).isEqualTo("9/60s");
	}

	@Test
	void aRefusingQuotaIsTighterThanAnEmptyOne() {
		assertThat(tightest(rejected(refusing(10, "2S", "1S"), free(100, "60S", 0)))).isEqualTo("10/2s");
		assertThat(tightest(rejected(free(100, "60S", 0), refusing(10, "2S", "1S")))).isEqualTo("10/2s");
	}

	/** A bucket of a smaller plan pays off what a larger one has used. */
	@Test
	void aWaitMayTakeCenturies() {
		assertThat(tightest(rejected(refusing(100, "9S", "7200000H"), refusing(10, "5S", "2S")))).isEqualTo("100/9s");
	}

	@Test
	void amongRefusingQuotasTheLongestWaitIsTheTightest() {
		assertThat(tightest(rejected(refusing(10, "9S", "1S"), refusing(100, "5S", "2S")))).isEqualTo("100/5s");
		assertThat(tightest(rejected(refusing(10, "60S", "50S"), hopeless(1, "1S")))).isEqualTo("1/1s");
	}

	@Test
	void amongEqualWaitsTheLongerWindowIsTheTightest() {
		assertThat(tightest(rejected(refusing(10, "5S", "2S")), rejected(refusing(20, "9S", "2S")))).isEqualTo("20/9s");
		assertThat(tightest(rejected(refusing(20, "9S", "2S")), rejected(refusing(10, "5S", "2S")))).isEqualTo("20/9s");
	}

	@ParameterizedTest
	@CsvSource({ "1S, 1", "1.000001S, 2", "0.000001S, 1", "59.999S, 60" })
	void secondsAreRoundedUp(String reset, String seconds) {
		MockHttpServletResponse response = write(allowed(quota(5, "60S", 4, reset, Optional.of(Duration.ZERO))));
		assertThat(response.getHeader("X-RateLimit-Reset")).isEqualTo(seconds);
		assertThat(response.getHeader("RateLimit")).isEqualTo("\"r-60S\";r=4;t=" + seconds);
	}

	@Test
	void whereNothingIsUsedThereIsNoTimeToWait() {
		MockHttpServletResponse response = write(allowed(quota(5, "60S", 5, "0S", Optional.of(Duration.ZERO))));
		assertThat(response.getHeader("X-RateLimit-Reset")).isEqualTo("0");
		assertThat(response.getHeader("RateLimit")).isEqualTo("\"r-60S\";r=5");
	}

	@Test
	void resetMayBeATimeSince1970() {
		MockHttpServletResponse response = write(true, true, true,
				allowed(quota(5, "60S", 4, "1.700S", Optional.of(Duration.ZERO))));
		assertThat(response.getHeader("X-RateLimit-Reset")).isEqualTo(Long.toString(NOW.getEpochSecond() + 3));
		assertThat(response.getHeader("RateLimit")).endsWith(";t=2");
	}

	@Test
	void theFieldsOfTheDraftListEveryThreshold() {
		MockHttpServletResponse response = write(rejected(refusing(500, "2S", "0.1S"), waiting(2000, "10S", 1500)));
		assertThat(response.getHeaders("RateLimit-Policy")).containsExactly("\"r-2s\";q=500;w=2,\"r-10s\";q=2000;w=10");
		assertThat(response.getHeaders("RateLimit")).containsExactly("\"r-2S\";r=0;t=1,\"r-10S\";r=1500");
	}

	@Test
	void aPolicyNamesItsWindowOnlyInWholeSecondsAndOnlyIfThereAreSeveral() {
		assertThat(policyField("5/1m")).isEqualTo("\"r\";q=5;w=60");
		assertThat(policyField("5/1500ms")).isEqualTo("\"r\";q=5");
		assertThat(policyField("5/500ms", "9/1d")).isEqualTo("\"r-500ms\";q=5,\"r-1d\";q=9;w=86400");
	}

	@Test
	void thePolicyOfABucketNamesItsBurstWhereThatIsNotItsQuota() {
		assertThat(bucketPolicy(10)).isEqualTo("\"r\";q=5;w=60;ratelimit-burst=10");
		assertThat(bucketPolicy(5)).isEqualTo("\"r\";q=5;w=60");
		assertThat(bucketPolicy(1)).isEqualTo("\"r\";q=5;w=60;ratelimit-burst=1");
	}

	private static String bucketPolicy(long burst) {
		CompiledRule rule = CompiledRule.of(RLConfig.builder("r")
			.algorithm(Algorithm.TOKEN_BUCKET)
			.thresholds(List.of(new RLThreshold(5, Duration.ofMinutes(1), burst)))
			.build(), 64, false);
		String written = rule.standard().policyField();
		Quota quota = new Quota("r", burst, 5, RLWindow.valueOf("1m"), 0, Duration.ZERO, Optional.empty(),
				Optional.empty());
		assertThat(PolicyField.of(rejected(quota))).isEqualTo(written);
		return written;
	}

	@Test
	void retryAfterIsTheLongestWaitOfTheRefusingRules() {
		MockHttpServletResponse response = write(rejected(refusing(1, "9S", "1.2S"), refusing(5, "60S", "0.1S")),
				allowed(free(9, "90S", 1)), rejected(refusing(1, "9S", "0.5S")));
		assertThat(response.getHeader("Retry-After")).isEqualTo("2");
		assertThat(response.getHeader("X-RateLimit-Retry-After")).isEqualTo("2");
	}

	@Test
	void retryAfterIsAtLeastOneSecond() {
		assertThat(write(rejected(refusing(1, "0.010S", "0.000001S"))).getHeader("Retry-After")).isEqualTo("1");
		assertThat(write(rejected(free(1, "1S", 0))).getHeader("Retry-After")).isEqualTo("1");
	}

	@Test
	void retryAfterIsLeftOutWhereWaitingCannotHelp() {
		MockHttpServletResponse response = write(rejected(refusing(1, "9S", "5S")), rejected(hopeless(2, "60S")));
		assertThat(response.containsHeader("Retry-After")).isFalse();
		assertThat(response.containsHeader("X-RateLimit-Retry-After")).isFalse();
		assertThat(response.getHeader("X-RateLimit-Limit")).isEqualTo("2");
	}

	@Test
	void anAdmissionHasNoRetryAfter() {
		assertThat(write(allowed(free(1, "1S", 0))).getHeaderNames()).containsExactlyInAnyOrder("X-RateLimit-Limit",
				"X-RateLimit-Remaining", "X-RateLimit-Reset", "RateLimit-Policy", "RateLimit");
	}

	@Test
	void anAbsentStoreHasARetryAfterAndNothingElse() {
		MockHttpServletResponse response = write(new Unavailable("r", Duration.ofMillis(1500)));
		assertThat(response.getHeaderNames()).containsExactly("Retry-After");
		assertThat(response.getHeader("Retry-After")).isEqualTo("2");
	}

	@Test
	void whereNothingWasCountedNothingIsWritten() {
		assertThat(write(new Allowed("r", Source.NONE, List.of())).getHeaderNames()).isEmpty();
	}

	@Test
	void eitherKindOfHeadersCanBeTurnedOff() {
		RateLimitDecision decision = rejected(refusing(1, "9S", "5S"));
		assertThat(write(false, true, false, decision).getHeaderNames()).containsExactlyInAnyOrder("RateLimit-Policy",
				"RateLimit", "Retry-After");
		assertThat(write(true, false, false, decision).getHeaderNames()).containsExactlyInAnyOrder("X-RateLimit-Limit",
				"X-RateLimit-Remaining", "X-RateLimit-Reset", "X-RateLimit-Retry-After", "Retry-After");
		assertThat(write(false, false, false, decision).getHeaderNames()).containsExactly("Retry-After");
	}

	@Test
	void allHeaderNamesAreExposedToOtherOrigins() {
		assertThat(new RateLimitHeaders(true, true, false, () -> NOW).exposed())
			.isEqualTo("Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, "
					+ "X-RateLimit-Retry-After, RateLimit-Policy, RateLimit");
		assertThat(new RateLimitHeaders(false, false, false, () -> NOW).exposed()).isEqualTo("Retry-After");
	}

}
