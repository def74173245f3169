package dev.ratelimit.limiter.sync;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.limiter.health.StoreListener;
import dev.ratelimit.limiter.health.StoreListener.CallResult;
import dev.ratelimit.limiter.instances.InstanceShare;
import dev.ratelimit.limiter.source.EstimatedWindows;
import dev.ratelimit.limiter.source.PermitSource;
import dev.ratelimit.limiter.source.Slot;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.PermitCounter;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SettlementResult;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Subject;
import dev.ratelimit.support.BackgroundThread;
import org.jspecify.annotations.Nullable;

/**
 * Sends what this instance has admitted alone to the store at intervals. All keys of a
 * round share one call, and all rules share one thread, which starts with the first
 * synced rule. What does not reach the store is sent in a later round, for as long as its
 * windows last.
 */
public final class Synchronizer implements PermitSource {

	private static final AcquireResult NO_ANSWER = new AcquireResult.Failed(StoreFailure.ERROR, Fate.UNKNOWN);

	/** Long, because no request waits for it. */
	private static final Duration PATIENCE = Duration.ofSeconds(1);

	private static final Duration LAST_PATIENCE = Duration.ofSeconds(2);

	/** The largest number of keys in one call. */
	private static final int KEYS_PER_CALL = 500;

	private final RateLimitStore store;

	private final PermitCounter counter;

	private final Supplier<Optional<InstanceShare>> share;

	private final StoreListener storeListener;

	private final SyncListener listener;

	private final LongSupplier nanoTime;

	private final BackgroundThread background;

	private final Map<Limit, SyncedLimit> limits = new ConcurrentHashMap<>();

	private final Map<Duration, SyncSchedule> schedules = new ConcurrentHashMap<>();

	private final AtomicBoolean roundRequested = new AtomicBoolean();

	/**
	 * The limits of the rules in force; {@code null} until other rules come into force.
	 */
	private volatile @Nullable Set<Limit> inForce;

	/** How many share the limits, as of the last round. */
	private volatile int instances;

	private volatile boolean closing;

	private volatile boolean closed;

	Synchronizer(RateLimitStore store, Supplier<Optional<InstanceShare>> share, StoreListener storeListener,
			SyncListener listener, LongSupplier nanoTime, BackgroundThread background) {
		this.store = store;
		this.counter = store.capabilities().counter().orElseThrow();
		this.share = share;
		this.storeListener = storeListener;
		this.listener = listener;
		this.nanoTime = nanoTime;
		this.background = background;
	}

	/**
	 * Create a synchronizer with a thread of its own.
	 * @param store the store to synchronize with; has a counter
	 * @param share the share of this instance; while it is unknown, every permit is
	 * acquired from the store
	 * @param storeListener notified of every report
	 * @param listener notified of lost permits
	 * @param nanoTime a monotonic clock in nanoseconds
	 * @return the synchronizer, which has to be closed before the store
	 */
	public static Synchronizer create(RateLimitStore store, Supplier<Optional<InstanceShare>> share,
			StoreListener storeListener, SyncListener listener, LongSupplier nanoTime) {
		return new Synchronizer(store, share, storeListener, listener, nanoTime,
				new BackgroundThread("ratelimit-sync"));
	}

	@Override
	public @Nullable EstimatedWindows tryAcquire(Limit limit, Subject subject, long cost, long nowNanos) {
		SyncedLimit synced = this.limits.get(limit);
		SyncedCounter counter = (synced != null) ? synced.known(subject) : null;
		return (counter != null) ? counter.decide(cost, nowNanos) : null;
	}

	@Override
	public Source source() {
		return Source.MEMORY;
	}

	/**
	 * The first request of a subject is sent to the store, and so are those above what
	 * may be admitted without calling it.
	 */
	@Override
	public void offer(Slot slot, long nowNanos) {
		AcquireRequest request = slot.request();
		SyncedCounter counter = limit(request.limit()).counter(request.subject());
		EstimatedWindows known = counter.decide(request.cost(), nowNanos);
		if (known != null) {
			slot.answer(known, source(), counter);
		}
		else {
			slot.deferToStore(request, counter.startAcquire(request.cost(), nowNanos));
		}
	}

	private SyncedLimit limit(Limit limit) {
		SyncedLimit known = this.limits.get(limit);
		if (known != null) {
			return known;
		}
		SyncedLimit added = this.limits.computeIfAbsent(limit, this::start);
		Set<Limit> kept = this.inForce;
		if (kept != null && !kept.contains(limit)) {
			// A request that began under other rules does not bring their limit back.
			this.limits.remove(limit, added);
		}
		return added;
	}

	private SyncedLimit start(Limit limit) {
		Mode.Synced mode = (Mode.Synced) limit.mode();
		return new SyncedLimit(limit, schedule(mode.interval()),
				() -> new LocalQuota(this.share.get(), mode.maxOvershootPercent()));
	}

	/**
	 * Drop all limits except these. Permits already counted for the dropped limits are
	 * sent to the store at once, because a rule that has only changed counts on.
	 * @param inForce the limits of the rules in force
	 */
	@Override
	public void retain(Collection<Limit> inForce) {
		Set<Limit> kept = Set.copyOf(inForce);
		this.inForce = kept;
		this.limits.forEach((limit, synced) -> {
			if (!kept.contains(limit) && this.limits.remove(limit, synced)) {
				synced.retire();
			}
		});
	}

	@Override
	public long unsynced(Limit limit, Subject subject) {
		SyncedLimit known = this.limits.get(limit);
		return (known == null) ? 0 : known.find(subject).map(SyncedCounter::unsynced).orElse(0L);
	}

	/** What it was admitted here is no longer sent to the store. */
	@Override
	public void forget(String rule, Subject subject) {
		this.limits.forEach((limit, synced) -> {
			if (limit.rule().equals(rule)) {
				synced.find(subject).ifPresent(SyncedCounter::forget);
			}
		});
	}

	private SyncSchedule schedule(Duration interval) {
		return this.schedules.computeIfAbsent(interval, (added) -> {
			if (this.schedules.isEmpty()) {
				this.instances = instances();
			}
			SyncSchedule schedule = new SyncSchedule(added, this::requestRound);
			this.background.every(added, () -> {
				followInstances();
				report(schedule.takeDue(this.nanoTime.getAsLong()));
			});
			return schedule;
		});
	}

	/** What was a share among fewer instances is too much now. */
	private void followInstances() {
		int before = this.instances;
		this.instances = instances();
		if (this.instances > before) {
			this.limits.values().forEach(SyncedLimit::closeBudgets);
		}
	}

	private int instances() {
		return this.share.get().map(InstanceShare::instances).orElse(0);
	}

	/** Schedules one round, however many counters request it. */
	private void requestRound() {
		if (this.roundRequested.getAndSet(true)) {
			return;
		}
		try {
			this.background.soon(this::reportUrgent);
		}
		catch (Throwable ex) {
			this.roundRequested.set(false);
			throw ex;
		}
	}

	private void reportUrgent() {
		this.roundRequested.set(false);
		List<SyncedCounter> urgent = new ArrayList<>();
		this.schedules.values().forEach((schedule) -> urgent.addAll(schedule.takeUrgent()));
		report(urgent);
	}

	private void report(List<SyncedCounter> counters) {
		report(counters, () -> !this.closing, this::leave);
	}

	/** Reports in parts. Whatever happens, those of no part are passed on. */
	private void report(List<SyncedCounter> counters, BooleanSupplier goesOn, Consumer<SyncedCounter> rest) {
		int from = 0;
		try {
			while (from < counters.size() && goesOn.getAsBoolean()) {
				List<SyncedCounter> part = counters.subList(from, Math.min(counters.size(), from + KEYS_PER_CALL));
				from += part.size();
				reportTogether(part);
			}
		}
		finally {
			counters.subList(from, counters.size()).forEach(rest);
		}
	}

	/** The next round reports it, or {@link #close}, unless that is over. */
	private void leave(SyncedCounter counter) {
		counter.markDirty();
		if (this.closed) {
			takeDirty().forEach(this::lose);
		}
	}

	private List<SyncedCounter> takeDirty() {
		return this.schedules.values().stream().flatMap((schedule) -> schedule.takeAll().stream()).distinct().toList();
	}

	private void reportTogether(List<SyncedCounter> counters) {
		long start = this.nanoTime.getAsLong();
		List<InFlightSync> inFlights = new ArrayList<>(counters.size());
		List<AcquiredPermits> permits = new ArrayList<>(counters.size());
		List<AcquiredPermits> back = new ArrayList<>(0);
		List<AcquireResult> results = List.of();
		try {
			for (SyncedCounter counter : counters) {
				InFlightSync inFlight = counter.startReport(start);
				inFlights.add(inFlight);
				inFlight.reported().forEach((batch) -> permits.add(counter.taken(batch)));
				back.addAll(counter.takeReleases());
			}
			results = permits.isEmpty() ? results : this.counter.count(permits, PATIENCE);
		}
		finally {
			counters.subList(inFlights.size(), counters.size()).forEach(this::leave);
			land(inFlights, results, this.nanoTime.getAsLong());
		}
		if (!results.isEmpty()) {
			this.storeListener.called(CallResult.of(results), this.nanoTime.getAsLong() - start);
			results.forEach(this::reportUnanswered);
		}
		if (!back.isEmpty()) {
			List<SettlementResult> ignored = this.store.settle(Settlement.release(back), PATIENCE).await();
		}
	}

	/** Whatever happened, all counters have to be notified before the listeners are. */
	private void land(List<InFlightSync> inFlights, List<AcquireResult> results, long nowNanos) {
		Iterator<AcquireResult> next = results.iterator();
		Map<String, Long> lost = new HashMap<>(0);
		for (InFlightSync inFlight : inFlights) {
			List<AcquireResult> own = inFlight.reported()
				.stream()
				.map((batch) -> next.hasNext() ? next.next() : NO_ANSWER)
				.toList();
			lost.merge(inFlight.counter().limit().rule(), inFlight.counter().completeReport(inFlight, own, nowNanos),
					Long::sum);
		}
		lost.forEach((rule, permits) -> {
			if (permits > 0) {
				this.listener.lost(rule, permits);
			}
		});
	}

	private void reportUnanswered(AcquireResult result) {
		if (result instanceof AcquireResult.Failed failed) {
			this.storeListener.unanswered(failed.failure());
		}
	}

	/** What others have counted meanwhile is unknown, so each subject asks the store. */
	@Override
	public void restart() {
		this.limits.values().forEach(SyncedLimit::closeBudgets);
		this.background.restart();
		this.closing = false;
		this.closed = false;
		// Nothing ran what was requested meanwhile.
		this.roundRequested.set(false);
	}

	/**
	 * Sends all unsynced permits to the store, once. Begins no report after two seconds,
	 * as a store that does not answer lets each of them wait; the rest is lost.
	 */
	@Override
	public void close() {
		this.closing = true;
		this.background.close();
		long end = this.nanoTime.getAsLong() + LAST_PATIENCE.toNanos();
		try {
			report(takeDirty(), () -> this.nanoTime.getAsLong() - end < 0, this::lose);
		}
		finally {
			this.closed = true;
			takeDirty().forEach(this::lose);
		}
	}

	private void lose(SyncedCounter counter) {
		long permits = counter.unsynced();
		if (permits > 0) {
			this.listener.lost(counter.limit().rule(), permits);
		}
	}

}
