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

/**
 * The leases of one limit. Subjects are the clients' to choose, so their number is
 * bounded: beyond that they are asked for one by one.
 */
final class LimitLeases {

	/** About 400 bytes each. */
	static final int MOST_SUBJECTS = 50_000;

	private final Terms terms;

	private final Map<Subject, Holding> holdings = new ConcurrentHashMap<>();

	LimitLeases(Terms terms) {
		this.terms = terms;
	}

	Terms terms() {
		return this.terms;
	}

	Optional<Holding> find(Subject subject) {
		return Optional.ofNullable(this.holdings.get(subject));
	}

	/**
	 * What somebody has, also if that is nothing yet.
	 * @param subject who
	 * @param nowNanos the time
	 * @return what he has; empty if there is no room to remember it
	 */
	Optional<Holding> of(Subject subject, long nowNanos) {
		Holding known = this.holdings.get(subject);
		if (known != null) {
			return Optional.of(known);
		}
		if (this.holdings.size() >= MOST_SUBJECTS) {
			return Optional.empty();
		}
		return Optional
			.of(this.holdings.computeIfAbsent(subject, (missing) -> new Holding(nothing(missing, nowNanos))));
	}

	private Lease nothing(Subject subject, long nowNanos) {
		return Lease.ofNothing(new AcquireRequest(this.terms.asked(), subject, 1, new PermitId("-")), nowNanos);
	}

	boolean isEmpty() {
		return this.holdings.isEmpty();
	}

	/**
	 * End what is over, and forget who is idle.
	 * @param nowNanos the time
	 * @param left takes what is left of leases that are over
	 */
	void tidy(long nowNanos, Consumer<List<AcquiredPermits>> left) {
		long lifeNanos = this.terms.life().toNanos();
		this.holdings.forEach((subject, holding) -> {
			if (holding.lease().isOver(nowNanos)) {
				left.accept(holding.lease().takeLeft());
			}
			if (holding.isIdle(nowNanos, lifeNanos)) {
				this.holdings.remove(subject, holding);
			}
		});
	}

	void end(Consumer<List<AcquiredPermits>> left) {
		this.holdings.values().forEach((holding) -> left.accept(holding.lease().takeLeft()));
		this.holdings.clear();
	}

}
