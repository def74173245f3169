package dev.ratelimit.limiter.remote;

/**
 * Sees calls of the store begin and end, on the thread of the request: be quick and do
 * not throw.
 */
@FunctionalInterface
public interface StoreTracer {

	/** Looks away. */
	StoreTracer NONE = (operation) -> Call.UNSEEN;

	/**
	 * A call begins.
	 * @param operation what the store is called for
	 * @return the call, to be ended on the same thread
	 */
	Call begin(Operation operation);

	/** A call that has begun. */
	@FunctionalInterface
	interface Call {

		/** One that nobody looks at. */
		Call UNSEEN = (outcome) -> {
		};

		/**
		 * The call ends.
		 * @param outcome what came of it
		 */
		void end(StoreListener.CallResult outcome);

	}

	/** What the store is called for. */
	enum Operation {

		/** Permits. */
		ASK,

		/** Permits that were not needed. */
		GIVE_BACK

	}

}
