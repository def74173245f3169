package dev.ratelimit.outbound;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

import dev.ratelimit.RateLimiter;

import org.springframework.http.HttpRequest;

/**
 * Builds a {@link RateLimitInterceptor}: name a rule and the calls that it limits, then
 * optionally further rules. If several rules limit a call, it waits for each of them, in
 * this order. Not safe for concurrent use.
 *
 * <pre class="code">
 * RateLimitInterceptor.builder(limiter, clock)
 *     .limit("github", Duration.ofSeconds(2), "api.github.com")
 *     .build();
 * </pre>
 */
public final class RateLimitInterceptorBuilder {

	private final List<LimitedCalls> limited = new ArrayList<>();

	private final RateLimiter limiter;

	private final InstantSource clock;

	RateLimitInterceptorBuilder(RateLimiter limiter, InstantSource clock) {
		this.limiter = limiter;
		this.clock = clock;
	}

	/**
	 * Limit calls by a rule that counts all of them as one: its key is {@code global}.
	 * @param rule the id of a rule that can schedule turns, see
	 * {@link RateLimiter#acquire}
	 * @param maxWait the longest time a call waits, 0s to 1d
	 * @param hosts the hosts that are called, as names or like {@code *.example.com};
	 * none for every host
	 * @return this builder
	 * @throws IllegalArgumentException if a host or the wait is not valid
	 */
	public RateLimitInterceptorBuilder limit(String rule, Duration maxWait, String... hosts) {
		this.limited.add(new LimitedCalls(rule, patterns(hosts), (request) -> new String[0], maxWait));
		return this;
	}

	/**
	 * Limit calls by a rule whose key has one value.
	 * @param rule the id of a rule that can schedule turns, see
	 * {@link RateLimiter#acquire}
	 * @param key computes the key of a call
	 * @param maxWait the longest time a call waits, 0s to 1d
	 * @param hosts the hosts that are called; none for every host
	 * @return this builder
	 * @throws IllegalArgumentException if a host or the wait is not valid
	 */
	public RateLimitInterceptorBuilder limit(String rule, Function<HttpRequest, String> key, Duration maxWait,
			String... hosts) {
		this.limited
			.add(new LimitedCalls(rule, patterns(hosts), (request) -> new String[] { key.apply(request) }, maxWait));
		return this;
	}

	/**
	 * Build the interceptor.
	 * @return the interceptor
	 */
	public RateLimitInterceptor build() {
		return new RateLimitInterceptor(this.limiter, this.limited, this.clock);
	}

	private static List<HostPattern> patterns(String... hosts) {
		return Arrays.stream(hosts).map(HostPattern::new).toList();
	}

}
