package dev.ratelimit;

import dev.ratelimit.rule.RLConfig;

/**
 * Makes limiters that no configuration has a rule for. Their rules are in force with
 * those of the configuration: on the same store, in the endpoint and in meters under
 * their ids, and they stay when the configured rules change. They cannot be removed.
 * <p>
 * The id is unique in the application. A configured rule that comes later with the same
 * id and other settings does not come into force.
 * <p>
 * Making a limiter compiles all rules anew, so it belongs into the start of the
 * application, and an id is never made from a request. The same limiter again costs a
 * look-up. Safe for concurrent use.
 */
public interface RateLimiters {

	/** The largest number of limiters made in code. */
	int MAX_LIMITERS = 1000;

	/**
	 * Make a limiter with the defaults of the application ({@code ratelimit.defaults})
	 * but {@code on-limit}. It counts by one value.
	 * @param id its id: {@code [a-z0-9][a-z0-9-]{0,63}}
	 * @param thresholds its windows, such as {@code 10000/15m}, each a text of its own;
	 * all of them must hold
	 * @return the limiter; the same for the same arguments
	 * @throws IllegalArgumentException if an argument is not valid, or the id is used
	 * with other settings
	 * @throws IllegalStateException if there are {@value #MAX_LIMITERS} limiters already,
	 * or if the store cannot enforce the settings; before the application has started,
	 * the start fails instead
	 */
	NamedRateLimiter of(String id, String... thresholds);

	/**
	 * Make a limiter.
	 * @param rule its settings; without {@code paths}, and with {@code on-limit: reject},
	 * because only code names it
	 * @return the limiter; the same for the same settings
	 * @throws IllegalArgumentException if the settings are not valid here, or the id is
	 * used with other settings
	 * @throws IllegalStateException if there are {@value #MAX_LIMITERS} limiters already,
	 * or if the store cannot enforce the settings; before the application has started,
	 * the start fails instead
	 */
	NamedRateLimiter create(RLConfig rule);

}
