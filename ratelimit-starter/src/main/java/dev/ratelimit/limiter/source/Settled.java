package dev.ratelimit.limiter.source;

import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SettlementResult;

/**
 * What became of permits that their owner was to settle.
 */
public sealed interface Settled {

	/**
	 * All that is not kept was released on this instance, or is lost.
	 *
	 * @param result the result for all of them
	 */
	record Here(SettlementResult result) implements Settled {
	}

	/**
	 * The store counts some of them, and has to settle these.
	 *
	 * @param settlement the permits that the store counts
	 */
	record InStore(Settlement settlement) implements Settled {
	}

}
