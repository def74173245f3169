package dev.ratelimit.store.memory;

import java.time.Duration;
import java.util.Optional;

import dev.ratelimit.store.Inspection;
import dev.ratelimit.store.Inspector;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Subject;

/**
 * Inspects what is counted on the heap; never blocks. Tested by
 * {@code SharedBucketsTests}.
 *
 * @param store the store that counts
 */
record MemoryInspector(MemoryStore store) implements Inspector {

	@Override
	public Inspection peek(Limit limit, Subject subject, Duration maxWait) {
		return new Inspection.Found(this.store.peek(limit, subject));
	}

	@Override
	public Optional<StoreFailure> reset(Limit limit, Subject subject, Duration maxWait) {
		return this.store.forget(limit, subject) ? Optional.empty() : Optional.of(StoreFailure.UNAVAILABLE);
	}

}
