package dev.ratelimit.store.memory;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.store.StoreDiagnostics;

/**
 * Reports how crowded the heap is; it never fails and is never configured wrongly.
 *
 * @param crowd counts the subjects
 */
record MemoryDiagnostics(SubjectCounts crowd) implements StoreDiagnostics {

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
		return this.crowd.shared();
	}

}
