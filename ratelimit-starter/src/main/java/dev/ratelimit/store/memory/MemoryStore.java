package dev.ratelimit.store.memory;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Function;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Pending;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.ReleaseResult;
import dev.ratelimit.store.StoreCapabilities;
import dev.ratelimit.store.StoreCapabilities.Scope;
import dev.ratelimit.store.StoreDiagnostics;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.Usage;
import dev.ratelimit.store.WaitRange;
import org.jspecify.annotations.Nullable;

/**
 * Counts on the heap of this instance, on an injected clock. Exact and atomic per rule
 * and subject, without a lock that two subjects share for longer than a hash bin. Holds
 * about 130 bytes per permit inside its window, and never more permits per subject than
 * {@link Limit#mostKept()}, and those of one request. It runs no thread: each request
 * inspects two other subjects and drops those whose longest window has passed. So there
 * are never more idle subjects than busy ones. If there may be no requests for a long
 * time, the application must call {@link #sweep}.
 * <p>
 * Clients choose their subjects, so the number of subjects is bounded: if a rule counts
 * {@value #MOST_SUBJECTS} of them, new subjects share {@value #SHARED_BUCKETS} buckets. A
 * new subject gets its own bucket when there is room again and nothing is left in its
 * shared bucket. So no client is ever admitted more than its limit, and no counted
 * subject is dropped for a new one. Tested by {@code StoreContractTests}.
 */
public final class MemoryStore implements RateLimitStore {

	private static final String NAME = "memory";

	private static final int INSPECTED_PER_REQUEST = 2;

	/** About 400 bytes each with a permit or two: 20 MB, as for leases. */
	static final int MOST_SUBJECTS = 50_000;

	/**
	 * New subjects spread over so many buckets, at the cost of half a megabyte.
	 */
	static final int SHARED_BUCKETS = 1024;

	/**
	 * The maximum number of resets stored for subjects that have not returned; further
	 * ones are dropped.
	 */
	private static final int MOST_PARDONED = 1024;

	/** Appended to the receipts of permits that were taken in a shared bucket. */
	private static final Long SHARED = -1L;

	private static final AcquireResult NOT_COUNTED = new AcquireResult.Failed(StoreFailure.ERROR, Fate.NOT_TAKEN);

	private static final int SWEPT_PER_SECOND = 10_000;

	private final InstantSource clock;

	private final StoreCapabilities capabilities;

	private final Map<Counted, SubjectState> states = new ConcurrentHashMap<>();

	/**
	 * Every key of {@link #states}, the one that was inspected least recently first.
	 */
	private final Queue<Counted> inspections = new ConcurrentLinkedQueue<>();

	private final SubjectCounts crowd;

	/** Changed only while the subject's entry in {@link #states} is locked. */
	private final SharedBuckets shared;

	/**
	 * Reset subjects, which start anew in their own buckets: what others have counted in
	 * the shared bucket stays.
	 */
	private final Set<Counted> pardoned = ConcurrentHashMap.newKeySet();

	/**
	 * Create an empty store.
	 * @param clock the time, counted in microseconds
	 */
	public MemoryStore(InstantSource clock) {
		this(clock, (rule) -> {
		});
	}

	/**
	 * Create an empty store.
	 * @param clock the time, counted in microseconds
	 * @param shares receives, once a minute at most, the id of a rule whose new subjects
	 * share buckets
	 */
	public MemoryStore(InstantSource clock, Consumer<String> shares) {
		this(clock, shares, MOST_SUBJECTS, SHARED_BUCKETS);
	}

	/**
	 * Create an empty store in which every subject has its own bucket, however many there
	 * are: only where no client can make them up without end.
	 * @param clock the time, counted in microseconds
	 * @return the store
	 */
	public static MemoryStore unbounded(InstantSource clock) {
		return new MemoryStore(clock, (rule) -> {
		}, Integer.MAX_VALUE, 1);
	}

	/**
	 * Create an empty store.
	 * @param clock the time, counted in microseconds
	 * @param shares receives the ids of rules whose new subjects share buckets
	 * @param mostSubjects the maximum number of subjects of a rule that have their own
	 * buckets
	 * @param sharedBuckets the number of buckets that the others share, per limit
	 */
	MemoryStore(InstantSource clock, Consumer<String> shares, int mostSubjects, int sharedBuckets) {
		this.clock = clock;
		this.crowd = new SubjectCounts(mostSubjects, shares);
		this.shared = new SharedBuckets(sharedBuckets);
		this.capabilities = new StoreCapabilities(NAME, Scope.LOCAL, EnumSet.allOf(Algorithm.class), false,
				Optional.empty(), Optional.of((permits, maxWait) -> permits.stream().map(this::count).toList()),
				Optional.of(new MemoryInspector(this)),
				new StoreDiagnostics(Optional::empty, () -> Optional.of(List.of()), this.crowd::shared), () -> 0,
				() -> sweep(SWEPT_PER_SECOND));
	}

	@Override
	public Pending<List<AcquireResult>> acquire(List<AcquireRequest> requests, Duration maxWait) {
		return Pending.of((requests.size() == 1) ? List.of(acquire(requests.get(0)))
				: requests.stream().map(this::acquire).toList());
	}

	private AcquireResult acquire(AcquireRequest request) {
		return decide(request, (state) -> {
			if (request.turn().isPresent()) {
				return turn(state, request, request.turn().get());
			}
			return request.isAhead() ? Reservation.acquire(state, request, nowMicros())
					: state.acquire(request.limit(), request.permit().text(), request.cost(), nowMicros());
		});
	}

	/** A request that can be delayed has no other kind of state. */
	private AcquireResult turn(SubjectState state, AcquireRequest request, WaitRange wait) {
		return (state instanceof LeakyBucket bucket) ? LeakyBucketTurn.acquire(bucket, request, wait, nowMicros())
				: SlidingWindowLogTurn.acquire((SlidingWindowLog) state, request, wait, nowMicros());
	}

	private AcquireResult decide(AcquireRequest request, Function<SubjectState, AcquireResult> decision) {
		Limit limit = request.limit();
		AcquireResult[] result = new AcquireResult[1];
		this.states.compute(Counted.by(request), (counted, existing) -> {
			// The clock is read where a decision is applied, so that its order is that in
			// which the state is written.
			if (existing != null) {
				result[0] = decision.apply(existing);
				return existing;
			}
			if (!hasOwnBucket(counted, limit)) {
				this.shared.use(limit, counted.subject(), () -> SubjectState.of(limit.algorithm()),
						(common) -> result[0] = marked(decision.apply(common)));
				return null;
			}
			try {
				SubjectState state = SubjectState.of(limit.algorithm());
				result[0] = decision.apply(state);
				this.inspections.add(counted);
				return state;
			}
			catch (Throwable ex) {
				this.crowd.leave(limit.rule());
				throw ex;
			}
		});
		this.crowd.report();
		inspect(INSPECTED_PER_REQUEST);
		return result[0];
	}

	private boolean hasOwnBucket(Counted newcomer, Limit limit) {
		if (this.pardoned.remove(newcomer)) {
			this.crowd.force(limit.rule());
			return true;
		}
		// The decision reads the clock again: an earlier instant only lets the new
		// subject share.
		long nowMicros = nowMicros();
		boolean own = !this.shared.isInUse(limit, newcomer.subject(), nowMicros) && this.crowd.enter(limit.rule());
		if (!own) {
			this.crowd.shares(limit.rule(), nowMicros);
		}
		return own;
	}

	/** A log identifies its permits by their names, which no other bucket contains. */
	private static AcquireResult marked(AcquireResult result) {
		if (result instanceof AcquireResult.Admitted admitted && !admitted.receipts().isEmpty()) {
			return new AcquireResult.Admitted(admitted.usage(), marked(admitted.receipts()));
		}
		if (result instanceof AcquireResult.Reserved reserved && !reserved.receipts().isEmpty()) {
			return new AcquireResult.Reserved(reserved.usage(), marked(reserved.receipts()), reserved.permits());
		}
		if (result instanceof AcquireResult.Turn turn && !turn.receipts().isEmpty()) {
			return new AcquireResult.Turn(turn.usage(), marked(turn.receipts()), turn.waitMicros());
		}
		return result;
	}

	private static List<Long> marked(List<Long> receipts) {
		List<Long> marked = new ArrayList<>(receipts);
		marked.add(SHARED);
		return marked;
	}

	private AcquireResult count(AcquiredPermits taken) {
		AcquireRequest request = taken.request();
		return decide(request, (state) -> (state instanceof AlignedWindows<?> counting)
				? counting.count(request.limit(), request.cost(), taken.receipts(), nowMicros()) : NOT_COUNTED);
	}

	@Override
	public Pending<List<ReleaseResult>> release(List<AcquiredPermits> permits, Duration maxWait) {
		return Pending.of(permits.stream().map(this::release).toList());
	}

	private ReleaseResult release(AcquiredPermits taken) {
		AcquireRequest request = taken.request();
		Limit limit = request.limit();
		// No request was ever granted more.
		long cost = Math.min(request.cost(), limit.largestCost());
		boolean isLog = limit.algorithm() == Algorithm.SLIDING_WINDOW_LOG;
		List<Long> receipts = taken.receipts();
		boolean isShared = !receipts.isEmpty() && receipts.get(receipts.size() - 1).equals(SHARED);
		List<Long> known = isShared ? receipts.subList(0, receipts.size() - 1) : receipts;
		// Only a log identifies its permits without a receipt.
		boolean[] acknowledged = { isLog || !known.isEmpty() };
		Consumer<SubjectState> release = (
				state) -> acknowledged[0] = (request.turn().isPresent() && state instanceof LeakyBucket bucket)
						? bucket.releaseTurn(limit, cost, known)
						: state.release(limit, SlidingWindowLogTurn.id(request), cost, known);
		if (!isShared) {
			this.states.computeIfPresent(Counted.by(request), (counted, state) -> {
				release.accept(state);
				return state;
			});
		}
		if (isShared || isLog) {
			this.shared.useExisting(limit, request.subject(), release);
		}
		return acknowledged[0] ? ReleaseResult.ACKNOWLEDGED : ReleaseResult.LOST;
	}

	@Override
	public StoreCapabilities capabilities() {
		return this.capabilities;
	}

	List<Usage> peek(Limit limit, Subject subject) {
		List<List<Usage>> found = new ArrayList<>(1);
		Consumer<SubjectState> look = (state) -> found.add(state.peek(limit, nowMicros()));
		Counted client = new Counted(limit.rule(), limit.algorithm(), subject);
		this.states.compute(client, (counted, existing) -> {
			if (existing != null) {
				look.accept(existing);
			}
			else if (this.pardoned.contains(client) || !this.shared.useExisting(limit, subject, look)) {
				look.accept(SubjectState.of(limit.algorithm()));
			}
			return existing;
		});
		return found.get(0);
	}

	void forget(Limit limit, Subject subject) {
		Counted client = new Counted(limit.rule(), limit.algorithm(), subject);
		this.states.compute(client, (counted, existing) -> {
			if (existing != null) {
				this.inspections.remove(client);
				this.crowd.leave(client.rule());
			}
			if (this.pardoned.size() < MOST_PARDONED && this.shared.isInUse(limit, subject, nowMicros())) {
				this.pardoned.add(client);
			}
			return null;
		});
	}

	/**
	 * Drop subjects whose longest window has passed.
	 * @param most the maximum number of subjects to inspect, the least recently inspected
	 * first
	 */
	public void sweep(int most) {
		inspect(Math.min(most, this.states.size()));
		this.shared.sweep(nowMicros());
	}

	private void inspect(int most) {
		long nowMicros = nowMicros();
		for (int i = 0; i < most; i++) {
			Counted counted = this.inspections.poll();
			if (counted != null
					&& this.states.computeIfPresent(counted, (key, state) -> dropIdle(key, state, nowMicros)) != null) {
				this.inspections.add(counted);
			}
		}
	}

	private @Nullable SubjectState dropIdle(Counted counted, SubjectState state, long nowMicros) {
		if (!state.isIdle(nowMicros)) {
			return state;
		}
		this.crowd.leave(counted.rule());
		return null;
	}

	private long nowMicros() {
		Instant now = this.clock.instant();
		return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
	}

	int subjects() {
		return this.states.size();
	}

	int sharedBuckets() {
		return this.shared.size();
	}

	@Override
	public String shard(AcquireRequest request) {
		return NAME;
	}

	@Override
	public String describe() {
		return NAME;
	}

	@Override
	public void close() {
		this.states.clear();
		this.inspections.clear();
		this.crowd.clear();
		this.shared.clear();
		this.pardoned.clear();
	}

	private record Counted(String rule, Algorithm algorithm, Subject subject) {

		static Counted by(AcquireRequest request) {
			return new Counted(request.limit().rule(), request.limit().algorithm(), request.subject());
		}

	}

}
