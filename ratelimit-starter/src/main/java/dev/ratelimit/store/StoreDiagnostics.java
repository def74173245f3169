package dev.ratelimit.store;

import java.util.List;
import java.util.Optional;

/**
 * Reports the state of a store to operators. Never names a client.
 */
public interface StoreDiagnostics {

	/** Reports nothing. */
	StoreDiagnostics NONE = new StoreDiagnostics() {

		@Override
		public Optional<String> lastFailure() {
			return Optional.empty();
		}

		@Override
		public Optional<List<String>> concerns() {
			return Optional.of(List.of());
		}

		@Override
		public long sharedDecisions() {
			return 0;
		}

	};

	/**
	 * The most recent failure, for the log.
	 * @return for example {@code 10.0.0.1:6379: Connection refused}, without credentials
	 * and subjects; empty if there was no failure
	 */
	Optional<String> lastFailure();

	/**
	 * Settings of the store itself that may lose what it counts. Calls the store and
	 * waits for its reply, half a second at most.
	 * @return the concerns, one or two sentences each, including the remedy; empty if the
	 * store did not reply
	 */
	Optional<List<String>> concerns();

	/**
	 * How often a new subject had to share a bucket, because its rule counts too many.
	 * @return the number of decisions since the start
	 */
	long sharedDecisions();

}
