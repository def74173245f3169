package dev.ratelimit.store;

import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Reports the state of a store to operators. Never names a client.
 *
 * @param lastFailure the most recent failure, for log and health, such as
 * {@code 10.0.0.1:6379: Connection refused}, without credentials and subjects; empty if
 * there was no failure
 * @param concerns what in the store itself loses, or may lose, what it counts: one or two
 * sentences each, including the remedy, in the same words as long as it lasts. Calls the
 * store and waits for its reply, half a second at most; empty if there is none
 * @param sharedDecisions how often since the start a new subject had to share a bucket,
 * because its rule counts too many
 */
public record StoreDiagnostics(Supplier<Optional<String>> lastFailure, Supplier<Optional<List<String>>> concerns,
		LongSupplier sharedDecisions) {

	/** Reports nothing. */
	public static final StoreDiagnostics NONE = new StoreDiagnostics(Optional::empty, () -> Optional.of(List.of()),
			() -> 0);

}
