package dev.ratelimit.limiter.remote;

import java.util.List;

import dev.ratelimit.store.StoreFailure;

/**
 * Hears how the store is doing, on the thread of the request: be quick and do not throw.
 */
public interface StoreListener {

	/**
	 * Tell several listeners. One that throws is logged at DEBUG and harms neither the
	 * request nor the others.
	 * @param listeners the listeners
	 * @return one listener
	 */
	static StoreListener all(List<StoreListener> listeners) {
		return new StoreListeners(listeners);
	}

	/**
	 * The store was called.
	 * @param outcome what came of it
	 * @param nanos how long it took
	 */
	void called(CallResult outcome, long nanos);

	/**
	 * A question was not answered, whether or not the store was called for it.
	 * @param failure why
	 */
	void unanswered(StoreFailure failure);

	/** What came of a call, which may have carried several questions. */
	enum CallResult {

		/** All of it was answered. */
		SUCCESS,

		/** Some of it was not answered in time. */
		TIMEOUT,

		/** Some of it failed in another way. */
		ERROR

	}

}
