package dev.ratelimit.limiter.lease;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.Subject;
import org.jspecify.annotations.Nullable;

/**
 * The leases of one limit. Clients can choose their subjects, so the number of subjects
 * is bounded. Requests of further subjects acquire their own permits one by one. Tested
 * by {@code LeasesTests}.
 */
final class LimitLeases {

	/** About half a kilobyte each. */
	static final int MOST_SUBJECTS = 50_000;

	private final LeaseTerms terms;

	private final Map<Subject, SubjectLease> subjectLeases = new ConcurrentHashMap<>();

	/** Held for a moment by the first request of a subject. */
	private final Object retirement = new Object();

	private boolean retired;

	LimitLeases(LeaseTerms terms) {
		this.terms = terms;
	}

	LeaseTerms terms() {
		return this.terms;
	}

	Optional<SubjectLease> find(Subject subject) {
		return Optional.ofNullable(known(subject));
	}

	@Nullable SubjectLease known(Subject subject) {
		return this.subjectLeases.get(subject);
	}

	/**
	 * The lease of a subject, which may still be empty.
	 * @param subject the subject
	 * @param nowNanos the time
	 * @return its lease; {@code null} if there is no room to store it, or these leases
	 * have retired
	 */
	@Nullable SubjectLease of(Subject subject, long nowNanos) {
		SubjectLease known = this.subjectLeases.get(subject);
		if (known != null || this.subjectLeases.size() >= MOST_SUBJECTS) {
			return known;
		}
		synchronized (this.retirement) {
			return this.retired ? null : this.subjectLeases.computeIfAbsent(subject,
					(missing) -> new SubjectLease(nothing(missing, nowNanos)));
		}
	}

	private Lease nothing(Subject subject, long nowNanos) {
		return Lease.ofNothing(new AcquireRequest(this.terms.counted(), subject, 1, new PermitId("-")), nowNanos);
	}

	/**
	 * Take no more subjects, if there are none.
	 * @return whether there are none
	 */
	boolean retire() {
		synchronized (this.retirement) {
			this.retired = this.subjectLeases.isEmpty();
			return this.retired;
		}
	}

	/**
	 * Collect what is left of ended leases, and drop idle subjects.
	 * @param nowNanos the time
	 * @param left receives what is left of ended leases
	 */
	void tidy(long nowNanos, Consumer<List<AcquiredPermits>> left) {
		long lifeNanos = this.terms.life().toNanos();
		this.subjectLeases.forEach((subject, subjectLease) -> {
			subjectLease.takeEnded(nowNanos, left);
			if (subjectLease.retire(nowNanos, lifeNanos)) {
				this.subjectLeases.remove(subject, subjectLease);
			}
		});
	}

	/** Take no more subjects, and collect what is left. */
	void end(Consumer<List<AcquiredPermits>> left) {
		synchronized (this.retirement) {
			this.retired = true;
		}
		this.subjectLeases.values().forEach((subjectLease) -> subjectLease.takeAll(left));
		this.subjectLeases.clear();
	}

}
