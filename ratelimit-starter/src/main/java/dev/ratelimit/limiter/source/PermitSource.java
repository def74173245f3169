package dev.ratelimit.limiter.source;

import java.util.Collection;

import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Subject;
import dev.ratelimit.support.Restartable;
import org.jspecify.annotations.Nullable;

/**
 * Decides requests of rules of one mode on this instance, as far as possible. Safe for
 * concurrent use.
 */
public interface PermitSource extends Restartable {

	/**
	 * Acquire permits without the store, for a request that never releases them. Adds no
	 * client to those that are known. Does not wait.
	 * @param limit a limit that has the mode of this source
	 * @param subject the client
	 * @param cost how many permits
	 * @param nowNanos the time on the monotonic clock
	 * @return the result; {@code null} if the request has to be {@linkplain #offer
	 * offered}
	 */
	@Nullable EstimatedWindows tryAcquire(Limit limit, Subject subject, long cost, long nowNanos);

	/**
	 * Where the requests are counted that this source answers.
	 * @return the source in their decisions
	 */
	Source source();

	/**
	 * Answer a request without the store, or {@linkplain Slot#deferToStore defer} it.
	 * What is held for a deferred request is freed when its call has ended. A slot left
	 * as it is goes to the store without this source. Does not wait.
	 * @param slot an empty slot whose limit has the mode of this source
	 * @param nowNanos the time on the monotonic clock
	 */
	void offer(Slot slot, long nowNanos);

	/**
	 * The limit by which the store counts.
	 * @param limit the limit of a rule of this mode
	 * @return the counted limit; that of the rule unless the source counts by another one
	 */
	default Limit counted(Limit limit) {
		return limit;
	}

	/**
	 * How much a client may still be admitted here without a call of the store, of
	 * permits that the store counts already.
	 * @param limit the limit
	 * @param subject the client
	 * @return the permits; none unless the source acquires them ahead
	 */
	default long left(Limit limit, Subject subject) {
		return 0;
	}

	/**
	 * What a client was admitted here that the store does not count yet.
	 * @param limit the limit
	 * @param subject the client
	 * @return the permits; none unless the source counts before the store does
	 */
	default long unsynced(Limit limit, Subject subject) {
		return 0;
	}

	/**
	 * Drop what is known of a client, because the store no longer counts it.
	 * @param rule the id of the rule
	 * @param subject the client
	 */
	void forget(String rule, Subject subject);

	/**
	 * Drop at once what no active rule needs, where that is possible.
	 * @param active the limits of the active rules
	 */
	default void retain(Collection<Limit> active) {
	}

	/** Release what is no longer needed. Repeated in the background; may wait. */
	default void tidy() {
	}

}
