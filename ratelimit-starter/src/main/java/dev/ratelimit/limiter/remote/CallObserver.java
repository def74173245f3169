package dev.ratelimit.limiter.remote;

import java.util.function.LongSupplier;

import dev.ratelimit.limiter.health.StoreListener;
import dev.ratelimit.limiter.health.StoreListener.Call;
import dev.ratelimit.limiter.health.StoreListener.CallResult;
import dev.ratelimit.limiter.health.StoreListener.Operation;
import dev.ratelimit.support.OncePerMinute;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports each call of the store to a listener, and logs breaches of the store's
 * contract. Safe for concurrent use. Tested by {@code RemoteStoreListenerTests}.
 *
 * @param listener notified of the calls
 * @param isTraced whether it is notified when they begin, too
 * @param nanoTime a monotonic clock in nanoseconds
 * @param breaches limits the log
 */
record CallObserver(StoreListener listener, boolean isTraced, LongSupplier nanoTime, OncePerMinute breaches) {

	/** Part of that class, whose logger users know. */
	private static final Logger logger = LoggerFactory.getLogger(RemoteStore.class);

	long nowNanos() {
		return this.nanoTime.getAsLong();
	}

	Call begin(Operation operation) {
		return this.isTraced ? this.listener.begin(operation) : Call.UNSEEN;
	}

	void end(Call call, CallResult outcome, long nanos) {
		call.end(outcome);
		this.listener.called(outcome, nanos);
	}

	/** The message of an exception may name a client, so only its type is an error. */
	void logBreach(String what, @Nullable Throwable ex) {
		if (this.breaches.tryAcquire()) {
			logger.error(("The store %s, which no store may do. Requests that it did not decide follow their "
					+ "on-store-failure, and permits that it did not release stay counted.")
				.formatted(what));
		}
		logger.debug("The store broke its contract", ex);
	}

}
