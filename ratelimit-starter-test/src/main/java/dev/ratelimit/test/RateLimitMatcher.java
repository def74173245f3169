package dev.ratelimit.test;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MvcResult;
import org.springframework.test.web.servlet.ResultMatcher;
import org.springframework.test.web.servlet.client.ExchangeResult;
import org.springframework.test.web.servlet.client.RestTestClient.ResponseSpec;
import org.springframework.test.web.servlet.client.RestTestClient.ResponseSpec.ResponseSpecConsumer;

/**
 * Matches the rate limit details of a response. The same matchers work with all of
 * Spring's test clients: {@code mockMvc.perform(..).andExpect(allowed())},
 * {@code assertThat(mockMvcTester.get()..).matches(allowed())} and
 * {@code restTestClient.get()...exchange().expectAll(allowed())}. Immutable. A failure is
 * an {@link AssertionError} that lists the rate limit details of the response. The
 * matcher reads the headers and the problem details that the starter sends by default: a
 * header that {@code ratelimit.headers.*} switches off cannot be matched.
 */
public final class RateLimitMatcher implements ResultMatcher, ResponseSpecConsumer {

	/** The suffix of a policy name if its rule has several thresholds. */
	private static final Pattern WINDOW = Pattern.compile("-\\d+(ms|s|m|h|d)");

	private final String expected;

	private final Predicate<RateLimitedResponse> condition;

	private RateLimitMatcher(String expected, Predicate<RateLimitedResponse> condition) {
		this.expected = expected;
		this.condition = condition;
	}

	/**
	 * At least one rule applied, and all rules that applied admitted the request. The
	 * status of the application's response does not matter, unless it is that of a
	 * refusal.
	 * @return the matcher
	 */
	public static RateLimitMatcher allowed() {
		return new RateLimitMatcher("an allowed request", RateLimitedResponse::isAllowed);
	}

	/**
	 * The response has status 429, the header {@code X-RateLimit-Retry-After}, or problem
	 * details of an exceeded quota. The response of a rule that has a status and a body
	 * of its own ({@code refusal.*}) is recognized by that header only, which is not sent
	 * if waiting cannot help.
	 * @return the matcher
	 */
	public static RateLimitMatcher rejected() {
		return new RateLimitMatcher("a rejected request", RateLimitedResponse::isRejected);
	}

	/**
	 * The response is {@link #rejected()}, and its problem details name exactly these
	 * violated policies, in any order.
	 * @param rule the id of a rule; or {@code <rule>-<window>}, for example
	 * {@code get-product-10s}, to match one of several thresholds
	 * @param others further policies, if several rules refused the request
	 * @return the matcher
	 */
	public static RateLimitMatcher rejectedBy(String rule, String... others) {
		List<String> names = Stream.concat(Stream.of(rule), Stream.of(others)).toList();
		return new RateLimitMatcher("a request rejected by " + String.join(", ", names),
				(response) -> response.isRejected() && areThose(response.violatedPolicies(), names));
	}

	/**
	 * No rule applied: the response has no rate limit details.
	 * @return the matcher
	 */
	public static RateLimitMatcher unlimited() {
		return new RateLimitMatcher("a request to which no rule applies",
				(response) -> !response.isDecided() && !response.isRejected());
	}

	/**
	 * The number of requests left, from {@code X-RateLimit-Remaining}. If several
	 * thresholds apply, it is that of the tightest one.
	 * @param requests the expected number
	 * @return the matcher
	 */
	public static RateLimitMatcher remaining(long requests) {
		return header(RateLimitedResponse.REMAINING, requests);
	}

	/**
	 * The number of requests allowed per window, from {@code X-RateLimit-Limit}. If
	 * several thresholds apply, it is that of the tightest one.
	 * @param requests the expected number
	 * @return the matcher
	 */
	public static RateLimitMatcher limit(long requests) {
		return header(RateLimitedResponse.LIMIT, requests);
	}

	/**
	 * The time until a retry, from {@code Retry-After}.
	 * @param wait the expected time, which is rounded up to seconds like the header
	 * @return the matcher
	 */
	public static RateLimitMatcher retryAfter(Duration wait) {
		return header(RateLimitedResponse.RETRY_AFTER, wait.plusNanos(999_999_999).toSeconds());
	}

	private static RateLimitMatcher header(String name, long value) {
		return new RateLimitMatcher(name + ": " + value,
				(response) -> response.number(name).equals(OptionalLong.of(value)));
	}

	private static boolean areThose(List<String> policies, List<String> names) {
		return policies.stream().allMatch((policy) -> names.stream().anyMatch((name) -> isOf(policy, name)))
				&& names.stream().allMatch((name) -> policies.stream().anyMatch((policy) -> isOf(policy, name)));
	}

	private static boolean isOf(String policy, String name) {
		return policy.startsWith(name)
				&& (policy.equals(name) || WINDOW.matcher(policy.substring(name.length())).matches());
	}

	@Override
	public void match(MvcResult result) throws Exception {
		MockHttpServletResponse response = result.getResponse();
		check(RateLimitedResponse.of(response.getStatus(), response::getHeader, response.getContentAsString()));
	}

	@Override
	public void accept(ResponseSpec response) {
		ExchangeResult result = response.returnResult();
		String body = new String(result.getResponseBodyContent(), StandardCharsets.UTF_8);
		RateLimitedResponse limited = RateLimitedResponse.of(result.getStatus().value(),
				result.getResponseHeaders()::getFirst, body);
		result.assertWithDiagnostics(() -> check(limited));
	}

	private void check(RateLimitedResponse response) {
		if (!this.condition.test(response)) {
			throw new AssertionError("Expected " + this.expected + ", but " + response.describe());
		}
	}

	@Override
	public String toString() {
		return this.expected;
	}

}
