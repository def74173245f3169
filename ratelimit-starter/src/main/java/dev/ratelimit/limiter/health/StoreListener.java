package dev.ratelimit.limiter.health;

import java.util.List;

import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.SettlementResult;
import dev.ratelimit.store.StoreFailure;

/**
 * Notified of the calls and the state of the store, on the thread of the request, its
 * executor or a thread that only notifies listeners: implementations must be quick and
 * must not throw. Tested by {@code RemoteStoreListenerTests}.
 */
public interface StoreListener {

	/**
	 * Combine several listeners. One that throws is logged once per type, and affects
	 * neither the request nor the other listeners.
	 * @param listeners the listeners
	 * @return one listener
	 */
	static StoreListener all(List<StoreListener> listeners) {
		return new StoreListeners(listeners);
	}

	/**
	 * A request begins a call of the store. Calls that the limiter makes in the
	 * background, and those of a store in the memory of this instance, are not reported.
	 * @param operation the purpose of the call
	 * @return the call, which may end on another thread
	 */
	default Call begin(Operation operation) {
		return Call.UNSEEN;
	}

	/**
	 * The store was called.
	 * @param outcome the outcome of the call
	 * @param nanos how long it took
	 */
	default void called(CallResult outcome, long nanos) {
	}

	/**
	 * A request was not answered, whether or not the store was called for it.
	 * @param failure why
	 */
	default void unanswered(StoreFailure failure) {
	}

	/** A call that has begun. */
	@FunctionalInterface
	interface Call {

		/** A call that its listener does not follow. */
		Call UNSEEN = (outcome) -> {
		};

		/**
		 * The call ends.
		 * @param outcome the outcome of the call
		 */
		void end(CallResult outcome);

	}

	/** The purpose of a call of the store. */
	enum Operation {

		/** Acquires permits. */
		ACQUIRE,

		/** Releases permits that were not needed. */
		RELEASE

	}

	/** The outcome of a call, which may have carried several requests. */
	enum CallResult {

		/**
		 * Every request was answered, except those that failed because this application
		 * was overloaded.
		 */
		SUCCESS,

		/** Some requests were not answered in time. */
		TIMEOUT,

		/** Some requests failed for another reason. */
		ERROR;

		/**
		 * The outcome of a call.
		 * @param results the results of its requests
		 * @return the outcome; a request that was too late because this application is
		 * overloaded is no failure of the store
		 */
		public static CallResult of(List<AcquireResult> results) {
			CallResult outcome = SUCCESS;
			for (int i = 0; i < results.size(); i++) {
				if (results.get(i) instanceof AcquireResult.Failed failed
						&& failed.failure() != StoreFailure.OVERLOADED) {
					if (failed.failure() == StoreFailure.TIMEOUT) {
						return TIMEOUT;
					}
					outcome = ERROR;
				}
			}
			return outcome;
		}

		/**
		 * The outcome of a call that releases permits.
		 * @param results the results of its releases
		 * @return the outcome
		 */
		public static CallResult ofReleases(List<SettlementResult> results) {
			return results.contains(SettlementResult.AWAITED) ? TIMEOUT
					: results.contains(SettlementResult.LOST) ? ERROR : SUCCESS;
		}

	}

}
