package dev.ratelimit.store;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Counts. A store knows neither HTTP nor policy, is safe for concurrent use, and never
 * throws: what goes wrong is an {@link AcquireResult.Failed}, for its own question only.
 */
public interface RateLimitStore extends AutoCloseable {

	/**
	 * Ask for permits. Each question is decided atomically over all its thresholds, all
	 * or nothing, on the store's own clock; the questions of one call are independent of
	 * each other.
	 * @param requests the questions, at least one
	 * @param maxWait how long to wait in all, more than nothing
	 * @return one answer per question, in their order
	 */
	List<AcquireResult> acquire(List<AcquireRequest> requests, Duration maxWait);

	/**
	 * Give permits back as if they had never been taken. A log knows its permits by name,
	 * so that giving back is idempotent and a permit that was never taken is no error; a
	 * counter takes back what is shown to it with a receipt, once. Refusals that were
	 * counted stay counted.
	 * @param permits the permits
	 * @param maxWait how long to wait in all; nothing means not to wait at all
	 * @return what became of them, one entry per permit, in their order
	 */
	List<ReleaseResult> release(List<AcquiredPermits> permits, Duration maxWait);

	/**
	 * The failure domain that a question goes to: what fails there fails together, and
	 * says nothing of other shards. Costs no call and does not wait.
	 * @param request a question
	 * @return a name, which for one question may change while the store finds its way
	 */
	String shard(AcquireRequest request);

	/**
	 * The instances that count in this store together.
	 * @return their registry; nothing where the store does not know of any others
	 */
	default Optional<InstanceRegistry> instances() {
		return Optional.empty();
	}

	/**
	 * Counts in the same windows what was admitted without asking.
	 * @return the counter; nothing where the store has none: then it is always asked
	 */
	default Optional<PermitCounter> counter() {
		return Optional.empty();
	}

	/**
	 * Looks at what is counted here.
	 * @return the inspector; nothing where the store has none
	 */
	default Optional<Inspector> inspector() {
		return Optional.empty();
	}

	/**
	 * A number that changes when the store has lost its connections, and differs then
	 * between this process and its copies, which names have to do as well. Costs no call.
	 * @return the number; always the same where no other process counts in the store
	 */
	default long incarnation() {
		return 0;
	}

	/**
	 * What went wrong last, for the log.
	 * @return for example {@code 10.0.0.1:6379: Connection refused}, without credentials
	 * and subjects; nothing where nothing went wrong
	 */
	default Optional<String> lastFailure() {
		return Optional.empty();
	}

	/**
	 * What about the store's own settings may lose what it counts. Asks the store, and
	 * waits for it, half a second at most.
	 * @return the concerns, a sentence or two each with what cures them; empty if the
	 * store did not answer
	 */
	default Optional<List<String>> concerns() {
		return Optional.of(List.of());
	}

	/**
	 * A name for the start-up line, without credentials.
	 * @return for example {@code memory} or {@code Redis Cluster at 10.0.0.1:6379}
	 */
	String describe();

	@Override
	void close();

}
