package dev.ratelimit.store.redis.datacenter;

import java.util.Optional;

/**
 * How the configuration of another data centre compares with the own one.
 *
 * @param difference why nothing may be taken from the pools; empty if nothing is known
 * that speaks against it
 * @param isExchanged whether the Redis of that data centre may receive messages
 * @param isReported whether that data centre is known to use its Redis; true if that is
 * not known
 */
record Comparison(Optional<String> difference, boolean isExchanged, boolean isReported) {

	/** Before the first one. */
	static final Comparison NONE = new Comparison(Optional.empty(), false, true);

}
