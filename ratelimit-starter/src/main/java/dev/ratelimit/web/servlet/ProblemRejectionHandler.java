package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Quota;
import dev.ratelimit.RateLimitDecision.Rejected;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.Refusal;
import dev.ratelimit.web.RateLimitHeaders;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Responds with problem details (RFC 9457): 403 if a key is missing or a rule blocks the
 * client, as a retry cannot help; 429 if a limit is exceeded, or what the rule defines
 * instead ({@code refusal.*}); and 503 if the only refusals come from rules whose store
 * cannot answer. An exceeded limit outweighs those: the request would have been refused
 * with a healthy store too, and a 503 invites proxies to retry it elsewhere. The body
 * describes the quota that the headers describe, and the rule of that quota defines the
 * response. The body of a 403 gives no reason. The body contains no data of the client;
 * every character of it is under our control, so it needs no JSON library.
 */
public final class ProblemRejectionHandler implements RateLimitRejectionHandler {

	private static final String TYPES = "{\"type\":\"https://iana.org/assignments/http-problem-types#";

	private static final String EXCEEDED = TYPES
			+ "quota-exceeded\",\"title\":\"Request cannot be satisfied as assigned quota has been exceeded\","
			+ "\"status\":";

	private static final String UNAVAILABLE = TYPES
			+ "temporary-reduced-capacity\",\"title\":\"Request cannot be satisfied due to temporary server capacity "
			+ "constraints\",\"status\":503,\"detail\":\"No quota is exceeded, but the request cannot be admitted now.";

	private static final String FORBIDDEN = "{\"type\":\"about:blank\",\"title\":\"Forbidden\",\"status\":403}";

	private static final String SECOND = " second";

	private static final String[] UNITS = { " day", " hour", " minute", SECOND, " millisecond" };

	private static final long[] UNIT_MILLIS = { 86_400_000, 3_600_000, 60_000, 1000, 1 };

	private final Function<String, Optional<RLConfig>> rules;

	/**
	 * Create a handler.
	 * @param rules finds a rule in force by its id
	 */
	public ProblemRejectionHandler(Function<String, Optional<RLConfig>> rules) {
		this.rules = rules;
	}

	@Override
	public void handle(HttpServletRequest request, HttpServletResponse response, List<RateLimitDecision> refusals)
			throws IOException {
		if (refusals.isEmpty() || isBlocked(refusals)) {
			write(response, HttpServletResponse.SC_FORBIDDEN, FORBIDDEN);
			return;
		}
		Quota exceeded = RateLimitHeaders.tightest(refusals, Function.identity(), (refusal) -> 1);
		Refusal refusal = (exceeded != null) ? refusal(exceeded, refusals) : Refusal.PROBLEM;
		if (refusal.body().isPresent()) {
			Refusal.Body body = refusal.body().get();
			PlainResponse.write(response, refusal.status(), body.contentType(), body.text());
			return;
		}
		StringBuilder json = new StringBuilder(512);
		if (exceeded == null) {
			json.append(UNAVAILABLE);
		}
		else {
			append(exceeded, json.append(EXCEEDED).append(refusal.status()).append(",\"detail\":\"Quota "));
		}
		OptionalLong wait = RateLimitHeaders.retryAfterSeconds(refusals, Function.identity());
		if (wait.isPresent()) {
			appendCount(wait.getAsLong(), SECOND, json.append(" Retry in "));
			json.append(".\"");
		}
		else {
			json.append(" Waiting does not help.\"");
		}
		if (exceeded != null) {
			json.append(",\"limit\":").append(exceeded.limit());
		}
		if (wait.isPresent()) {
			json.append(",\"retry-after\":").append(wait.getAsLong());
		}
		json.append(",\"violated-policies\":[");
		appendPolicies(refusals, exceeded != null, json);
		write(response, (exceeded != null) ? refusal.status() : HttpServletResponse.SC_SERVICE_UNAVAILABLE,
				json.append("]}").toString());
	}

	/** A blocking rule refuses regardless of use, so it has no quota to report. */
	private static boolean isBlocked(List<RateLimitDecision> refusals) {
		for (RateLimitDecision refusal : refusals) {
			if (refusal instanceof Rejected rejection && rejection.quotas().isEmpty()) {
				return true;
			}
		}
		return false;
	}

	/** What the rule of a quota defines. */
	private Refusal refusal(Quota exceeded, List<RateLimitDecision> refusals) {
		return refusals.stream()
			.filter((refusal) -> refusal.quotas().contains(exceeded))
			.findFirst()
			.flatMap((refusal) -> this.rules.apply(refusal.rule()))
			.map((rule) -> rule.enforcement().refusal())
			.orElse(Refusal.PROBLEM);
	}

	private static void append(Quota exceeded, StringBuilder json) {
		json.append(exceeded.policy()).append(" is exceeded: ").append(exceeded.threshold());
		exceeded.window().length().ifPresent((length) -> appendLength(length, json.append(" per ")));
		if (exceeded.limit() != exceeded.threshold()) {
			json.append(", at most ").append(exceeded.limit()).append(" at once");
		}
		json.append('.');
	}

	private static void appendLength(Duration length, StringBuilder json) {
		long millis = length.toMillis();
		int unit = 0;
		while (millis % UNIT_MILLIS[unit] != 0) {
			unit++;
		}
		appendCount(millis / UNIT_MILLIS[unit], UNITS[unit], json);
	}

	private static void appendCount(long count, String unit, StringBuilder json) {
		json.append(count).append(unit).append((count == 1) ? "" : "s");
	}

	private static void appendPolicies(List<RateLimitDecision> refusals, boolean exceeded, StringBuilder json) {
		String before = "\"";
		for (RateLimitDecision refusal : refusals) {
			if (!exceeded) {
				json.append(before).append(refusal.rule()).append('"');
				before = ",\"";
			}
			for (Quota quota : refusal.quotas()) {
				if (quota.retryAfter().isEmpty() || !quota.retryAfter().get().isZero()) {
					json.append(before).append(quota.policy()).append('"');
					before = ",\"";
				}
			}
		}
	}

	private static void write(HttpServletResponse response, int status, String json) throws IOException {
		PlainResponse.write(response, status, "application/problem+json", json);
	}

}
