package dev.ratelimit.web;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Quota;
import dev.ratelimit.RateLimitDecision.Unavailable;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Answers with problem details (RFC 9457): 429 where a limit is reached, 503 where the
 * store cannot answer and the rule refuses, 403 where a key is missing. The body names
 * rules and nothing of the client; every character of it is ours, so it needs no JSON
 * library.
 */
public final class ProblemRejectionHandler implements RateLimitRejectionHandler {

	private static final String TYPES = "https://iana.org/assignments/http-problem-types#";

	@Override
	public void handle(HttpServletRequest request, HttpServletResponse response, List<RateLimitDecision> refusals)
			throws IOException {
		if (refusals.isEmpty()) {
			write(response, HttpServletResponse.SC_FORBIDDEN, "about:blank", "Forbidden", List.of());
		}
		else if (refusals.stream().anyMatch(Unavailable.class::isInstance)) {
			write(response, HttpServletResponse.SC_SERVICE_UNAVAILABLE, TYPES + "temporary-reduced-capacity",
					"Request cannot be satisfied due to temporary server capacity constraints", policies(refusals));
		}
		else {
			write(response, 429, TYPES + "quota-exceeded",
					"Request cannot be satisfied as assigned quota has been exceeded", policies(refusals));
		}
	}

	private static List<String> policies(List<RateLimitDecision> refusals) {
		List<String> names = new ArrayList<>();
		for (RateLimitDecision refusal : refusals) {
			if (refusal.quotas().isEmpty()) {
				names.add(refusal.rule());
			}
			for (Quota quota : refusal.quotas()) {
				if (!quota.retryAfter().equals(Optional.of(Duration.ZERO))) {
					names.add(quota.policy());
				}
			}
		}
		return names;
	}

	private static void write(HttpServletResponse response, int status, String type, String title,
			List<String> violatedPolicies) throws IOException {
		StringBuilder json = new StringBuilder(256);
		json.append("{\"type\":\"").append(type).append("\",\"title\":\"").append(title);
		json.append("\",\"status\":").append(status);
		if (!violatedPolicies.isEmpty()) {
			json.append(",\"violated-policies\":[\"").append(String.join("\",\"", violatedPolicies)).append("\"]");
		}
		byte[] body = json.append('}').toString().getBytes(StandardCharsets.US_ASCII);
		response.setStatus(status);
		response.setContentType("application/problem+json");
		response.setContentLength(body.length);
		response.getOutputStream().write(body);
	}

}
