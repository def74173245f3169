package dev.ratelimit.web;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Quota;
import dev.ratelimit.RateLimitDecision.Rejected;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * Writes the headers of a decided response. {@code X-RateLimit-*} describe the tightest
 * threshold. That is the refusing one with the longest wait; else the one that admits the
 * fewest further requests of the same cost; then the one with the fewest permits left,
 * and then the one with the longer reset. {@code RateLimit} and {@code RateLimit-Policy}
 * describe every threshold. All times are seconds, rounded up.
 */
public final class RateLimitHeaders {

	public static final String LIMIT = "X-RateLimit-Limit";

	public static final String REMAINING = "X-RateLimit-Remaining";

	public static final String RESET = "X-RateLimit-Reset";

	public static final String RETRY_AFTER = "X-RateLimit-Retry-After";

	public static final String POLICY = "RateLimit-Policy";

	public static final String RATE_LIMIT = "RateLimit";

	private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

	private final boolean legacy;

	private final boolean ietf;

	private final boolean epochSeconds;

	private final InstantSource clock;

	private final List<String> names;

	private final String exposed;

	/**
	 * Create a writer.
	 * @param legacy whether to write {@code X-RateLimit-*}
	 * @param ietf whether to write {@code RateLimit} and {@code RateLimit-Policy}
	 * @param epochSeconds whether {@code X-RateLimit-Reset} is a time since 1970 and not
	 * from now
	 * @param clock supplies the time since 1970
	 */
	public RateLimitHeaders(boolean legacy, boolean ietf, boolean epochSeconds, InstantSource clock) {
		this.legacy = legacy;
		this.ietf = ietf;
		this.epochSeconds = epochSeconds;
		this.clock = clock;
		List<String> names = new ArrayList<>(List.of(HttpHeaders.RETRY_AFTER));
		if (legacy) {
			names.addAll(List.of(LIMIT, REMAINING, RESET, RETRY_AFTER));
		}
		if (ietf) {
			names.addAll(List.of(POLICY, RATE_LIMIT));
		}
		this.names = List.copyOf(names);
		this.exposed = String.join(", ", names);
	}

	/**
	 * Write the headers for the decisions on a request.
	 * @param reported the decision of each rule
	 * @param response sets a header
	 */
	public void write(List<ReportedDecision> reported, BiConsumer<String, String> response) {
		Quota tightest = tightest(reported, ReportedDecision::decision, ReportedDecision::cost);
		if (tightest != null && this.legacy) {
			response.accept(LIMIT, Long.toString(tightest.limit()));
			response.accept(REMAINING, Long.toString(tightest.remaining()));
			response.accept(RESET, Long.toString(reset(tightest)));
		}
		if (tightest != null && this.ietf) {
			writeFields(response, reported);
		}
		writeRetryAfter(response, reported);
	}

	/**
	 * The names of all headers that may be written.
	 * @return the names
	 */
	public List<String> names() {
		return this.names;
	}

	/**
	 * The names of all headers that may be written, for clients of another origin.
	 * @return the names in the format of {@code Access-Control-Expose-Headers}
	 */
	public String exposed() {
		return this.exposed;
	}

	/**
	 * The tightest threshold, as headers and bodies report it.
	 * @param <T> what contains a decision
	 * @param decided the decisions on a request
	 * @param decision extracts a decision
	 * @param costOf what the request costs by its rule; of no matter where it is refused
	 * @return the state of the threshold; {@code null} if nothing was counted
	 */
	public static <T> @Nullable Quota tightest(List<T> decided, Function<T, RateLimitDecision> decision,
			ToLongFunction<T> costOf) {
		Quota tightest = null;
		long tightestCost = 1;
		for (T one : decided) {
			long cost = costOf.applyAsLong(one);
			for (Quota quota : decision.apply(one).quotas()) {
				if (tightest == null || isTighter(quota, cost, tightest, tightestCost)) {
					tightest = quota;
					tightestCost = cost;
				}
			}
		}
		return tightest;
	}

	private static boolean isTighter(Quota quota, long cost, Quota other, long otherCost) {
		Duration wait = wait(quota);
		int longer = wait.compareTo(wait(other));
		if (longer != 0) {
			return longer > 0;
		}
		long requests = quota.remaining() / cost;
		long otherRequests = other.remaining() / otherCost;
		if (wait.isZero() && requests != otherRequests) {
			return requests < otherRequests;
		}
		if (quota.remaining() != other.remaining()) {
			return quota.remaining() < other.remaining();
		}
		return quota.resetAfter().compareTo(other.resetAfter()) > 0;
	}

	/** Zero if the threshold does not refuse. */
	private static Duration wait(Quota quota) {
		return quota.retryAfter().orElse(FOREVER);
	}

	private long reset(Quota quota) {
		if (this.epochSeconds) {
			return seconds(Duration.ofMillis(this.clock.millis()).plus(quota.resetAfter()));
		}
		return seconds(quota.resetAfter());
	}

	private static void writeFields(BiConsumer<String, String> response, List<ReportedDecision> reported) {
		String policies = "";
		String items = "";
		boolean refused = isRefused(reported);
		for (ReportedDecision one : reported) {
			List<Quota> quotas = one.decision().quotas();
			policies = quotas.isEmpty() ? policies : joined(policies, one.policyField());
			// Where another rule refuses, waiting for this one is no use.
			boolean useful = !refused || !one.decision().isAllowed();
			for (Quota quota : quotas) {
				items = joined(items, item(quota, useful));
			}
		}
		response.accept(POLICY, policies);
		response.accept(RATE_LIMIT, items);
	}

	/** Nearly always there is one item, which is not copied. */
	private static String joined(String items, String another) {
		return items.isEmpty() ? another : items + "," + another;
	}

	private static String item(Quota quota, boolean withTime) {
		String item = "\"" + quota.policy() + "\";r=" + quota.remaining();
		return (withTime && quota.moreAfter().isPresent()) ? item + ";t=" + seconds(quota.moreAfter().get()) : item;
	}

	private static boolean isRefused(List<ReportedDecision> reported) {
		for (ReportedDecision one : reported) {
			if (!one.decision().isAllowed()) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Write the longest wait of the refusing rules; nothing where waiting is no use.
	 */
	private void writeRetryAfter(BiConsumer<String, String> response, List<ReportedDecision> reported) {
		OptionalLong wait = retryAfterSeconds(reported, ReportedDecision::decision);
		if (wait.isPresent()) {
			String seconds = Long.toString(wait.getAsLong());
			response.accept(HttpHeaders.RETRY_AFTER, seconds);
			if (this.legacy && isRejected(reported)) {
				response.accept(RETRY_AFTER, seconds);
			}
		}
	}

	private static boolean isRejected(List<ReportedDecision> reported) {
		for (ReportedDecision one : reported) {
			if (one.decision() instanceof Rejected) {
				return true;
			}
		}
		return false;
	}

	/**
	 * The time after which a client should retry, as headers and bodies report it.
	 * @param <T> what contains a decision
	 * @param decided the decisions on a request
	 * @param decision extracts a decision
	 * @return the longest wait of those that refuse, at least 1; empty if none refuses,
	 * or if waiting is no use
	 */
	public static <T> OptionalLong retryAfterSeconds(List<T> decided, Function<T, RateLimitDecision> decision) {
		long longest = 0;
		for (T one : decided) {
			if (!decision.apply(one).isAllowed()) {
				Optional<Duration> wait = decision.apply(one).retryAfter();
				if (wait.isEmpty()) {
					return OptionalLong.empty();
				}
				longest = Math.max(Math.max(1, longest), seconds(wait.get()));
			}
		}
		return (longest > 0) ? OptionalLong.of(longest) : OptionalLong.empty();
	}

	private static long seconds(Duration duration) {
		return duration.getSeconds() + ((duration.getNano() > 0) ? 1 : 0);
	}

}
