package dev.ratelimit.limiter.remote;

/**
 * Notified when calls of the store begin and end, on the thread of the request or its
 * executor: implementations must be quick. One that throws is logged once per type. Calls
 * that the limiter makes in the background are not traced.
 */
@FunctionalInterface
public interface StoreTracer {

	/** Traces nothing. */
	StoreTracer NONE = (operation) -> Call.UNSEEN;

	/**
	 * A call begins.
	 * @param operation the purpose of the call
	 * @return the call, which may end on another thread
	 */
	Call begin(Operation operation);

	/** A call that has begun. */
	@FunctionalInterface
	interface Call {

		/** A call that is not traced. */
		Call UNSEEN = (outcome) -> {
		};

		/**
		 * The call ends.
		 * @param outcome the outcome of the call
		 */
		void end(StoreListener.CallResult outcome);

	}

	/** The purpose of a call of the store. */
	enum Operation {

		/** Acquires permits. */
		ASK,

		/** Releases permits that were not needed. */
		GIVE_BACK

	}

}
