package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.util.List;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Quota;
import dev.ratelimit.RateLimitDecision.Rejected;
import dev.ratelimit.queue.web.QueueAnswers;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Responds with problem details (RFC 9457): 403 if a key is missing or a rule blocks the
 * client, as a retry cannot help; 429 if a limit is exceeded; and 503 if the only
 * refusals come from rules whose store cannot answer. An exceeded limit outweighs those:
 * the request would have been refused with a healthy store too, and a 503 invites proxies
 * to retry it elsewhere. The body names rules and contains no data of the client; every
 * character of it is under our control, so it needs no JSON library.
 */
public final class ProblemRejectionHandler implements RateLimitRejectionHandler {

	private static final String TYPES = "https://iana.org/assignments/http-problem-types#";

	@Override
	public void handle(HttpServletRequest request, HttpServletResponse response, List<RateLimitDecision> refusals)
			throws IOException {
		StringBuilder policies = new StringBuilder();
		if (refusals.isEmpty() || refusals.stream().anyMatch(ProblemRejectionHandler::isBlocked)) {
			write(response, HttpServletResponse.SC_FORBIDDEN, "about:blank", "Forbidden", policies);
		}
		else if (appendRejections(refusals, policies)) {
			write(response, 429, TYPES + "quota-exceeded",
					"Request cannot be satisfied as assigned quota has been exceeded", policies);
		}
		else {
			refusals.forEach((refusal) -> append(refusal.rule(), policies));
			write(response, HttpServletResponse.SC_SERVICE_UNAVAILABLE, TYPES + "temporary-reduced-capacity",
					"Request cannot be satisfied due to temporary server capacity constraints", policies);
		}
	}

	/** A blocking rule refuses regardless of use, so it has no quota to report. */
	private static boolean isBlocked(RateLimitDecision refusal) {
		return refusal instanceof Rejected rejection && rejection.quotas().isEmpty();
	}

	/**
	 * Append the rejections.
	 * @return {@code false} if there is none
	 */
	private static boolean appendRejections(List<RateLimitDecision> refusals, StringBuilder policies) {
		boolean rejected = false;
		for (RateLimitDecision refusal : refusals) {
			if (refusal instanceof Rejected rejection) {
				rejected = true;
				appendViolatedPolicies(rejection, policies);
			}
		}
		return rejected;
	}

	private static void appendViolatedPolicies(Rejected rejection, StringBuilder policies) {
		for (Quota quota : rejection.quotas()) {
			if (quota.retryAfter().isEmpty() || !quota.retryAfter().get().isZero()) {
				append(quota.policy(), policies);
			}
		}
	}

	private static void append(String policy, StringBuilder policies) {
		policies.append(policies.isEmpty() ? "\"" : ",\"").append(policy).append('"');
	}

	private static void write(HttpServletResponse response, int status, String type, String title,
			StringBuilder policies) throws IOException {
		StringBuilder json = new StringBuilder(256);
		json.append("{\"type\":\"").append(type).append("\",\"title\":\"").append(title);
		json.append("\",\"status\":").append(status);
		if (!policies.isEmpty()) {
			json.append(",\"violated-policies\":[").append(policies).append(']');
		}
		QueueAnswers.write(response, status, "application/problem+json", json.append('}').toString());
	}

}
