package dev.ratelimit.web;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Quota;
import dev.ratelimit.RateLimitDecision.Rejected;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Answers with problem details (RFC 9457): 429 where a limit is reached, 403 where a key
 * is missing, and 503 where nothing refuses but rules whose store cannot answer. A limit
 * that is reached outweighs those: the request would have been refused with a healthy
 * store too, and a 503 invites proxies to try it again elsewhere. The body names rules
 * and nothing of the client; every character of it is ours, so it needs no JSON library.
 */
public final class ProblemRejectionHandler implements RateLimitRejectionHandler {

	private static final String TYPES = "https://iana.org/assignments/http-problem-types#";

	@Override
	public void handle(HttpServletRequest request, HttpServletResponse response, List<RateLimitDecision> refusals)
			throws IOException {
		List<RateLimitDecision> rejections = refusals.stream().filter(Rejected.class::isInstance).toList();
		if (!rejections.isEmpty()) {
			write(response, 429, TYPES + "quota-exceeded",
					"Request cannot be satisfied as assigned quota has been exceeded",
					rejections.stream().flatMap(ProblemRejectionHandler::violatedPolicies));
		}
		else if (!refusals.isEmpty()) {
			write(response, HttpServletResponse.SC_SERVICE_UNAVAILABLE, TYPES + "temporary-reduced-capacity",
					"Request cannot be satisfied due to temporary server capacity constraints",
					refusals.stream().map(RateLimitDecision::rule));
		}
		else {
			write(response, HttpServletResponse.SC_FORBIDDEN, "about:blank", "Forbidden", Stream.empty());
		}
	}

	/** The rule itself where it blocks the client, whatever was used. */
	private static Stream<String> violatedPolicies(RateLimitDecision rejection) {
		if (rejection.quotas().isEmpty()) {
			return Stream.of(rejection.rule());
		}
		return rejection.quotas()
			.stream()
			.filter((quota) -> !quota.retryAfter().equals(Optional.of(Duration.ZERO)))
			.map(Quota::policy);
	}

	private static void write(HttpServletResponse response, int status, String type, String title,
			Stream<String> policies) throws IOException {
		String violatedPolicies = policies.collect(Collectors.joining("\",\""));
		StringBuilder json = new StringBuilder(256);
		json.append("{\"type\":\"").append(type).append("\",\"title\":\"").append(title);
		json.append("\",\"status\":").append(status);
		if (!violatedPolicies.isEmpty()) {
			json.append(",\"violated-policies\":[\"").append(violatedPolicies).append("\"]");
		}
		byte[] body = json.append('}').toString().getBytes(StandardCharsets.US_ASCII);
		response.setStatus(status);
		response.setContentType("application/problem+json");
		response.setContentLength(body.length);
		response.getOutputStream().write(body);
	}

}
