package dev.ratelimit.test;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * The rate limit details of a response, as every client reads them.
 *
 * @param status the status
 * @param isRejected whether a rule refused the request
 * @param headers the headers that concern rate limits
 * @param violatedPolicies the violated policies that its problem details name
 */
record RateLimitedResponse(int status, boolean isRejected, Map<String, String> headers, List<String> violatedPolicies) {

	static final String LIMIT = "X-RateLimit-Limit";

	static final String REMAINING = "X-RateLimit-Remaining";

	static final String RETRY_AFTER = "Retry-After";

	private static final String POLICY = "RateLimit-Policy";

	private static final List<String> HEADERS = List.of(LIMIT, REMAINING, "X-RateLimit-Reset", POLICY, "RateLimit",
			RETRY_AFTER);

	private static final String X_RETRY_AFTER = "X-RateLimit-Retry-After";

	private static final String EXCEEDED = "#quota-exceeded\"";

	private static final int TOO_MANY_REQUESTS = 429;

	private static final Pattern VIOLATED = Pattern.compile("\"violated-policies\"\\s*:\\s*\\[([^]]*)]");

	private static final Pattern TEXT = Pattern.compile("\"([^\"]*)\"");

	static RateLimitedResponse of(int status, Function<String, @Nullable String> header, String body) {
		Map<String, String> headers = new TreeMap<>();
		for (String name : HEADERS) {
			Optional.ofNullable(header.apply(name)).ifPresent((value) -> headers.put(name, value));
		}
		List<String> violated = VIOLATED.matcher(body)
			.results()
			.flatMap((list) -> TEXT.matcher(list.group(1)).results())
			.map((MatchResult text) -> text.group(1))
			.toList();
		boolean isRejected = status == TOO_MANY_REQUESTS || header.apply(X_RETRY_AFTER) != null
				|| body.contains(EXCEEDED);
		return new RateLimitedResponse(status, isRejected, headers, violated);
	}

	boolean isAllowed() {
		return isDecided() && !isRejected();
	}

	/** Whether at least one rule applied. */
	boolean isDecided() {
		return this.headers.containsKey(LIMIT) || this.headers.containsKey(POLICY);
	}

	OptionalLong number(String header) {
		String value = this.headers.getOrDefault(header, "");
		return value.matches("\\d{1,18}") ? OptionalLong.of(Long.parseLong(value)) : OptionalLong.empty();
	}

	String describe() {
		return outcome() + ": status " + this.status
				+ this.headers.entrySet()
					.stream()
					.map((header) -> "\n  " + header.getKey() + ": " + header.getValue())
					.collect(Collectors.joining());
	}

	private String outcome() {
		if (isRejected()) {
			return this.violatedPolicies.isEmpty() ? "it was rejected, and the body names no violated-policies"
					: "it was rejected by " + String.join(", ", this.violatedPolicies);
		}
		return isDecided() ? "it was allowed" : "no rule applied (there is no header of rate limits)";
	}

}
