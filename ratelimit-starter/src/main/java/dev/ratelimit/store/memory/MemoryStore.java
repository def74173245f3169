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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Function;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Refill;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.Inspection;
import dev.ratelimit.store.Inspector;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SettlementResult;
import dev.ratelimit.store.StoreCapabilities;
import dev.ratelimit.store.StoreCapabilities.Scope;
import dev.ratelimit.store.StoreDiagnostics;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.Usage;
import dev.ratelimit.support.Pending;
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
public final class MemoryStore implements RateLimitStore, Inspector {

	private static final String NAME = "memory";

	private static final int INSPECTED_PER_REQUEST = 2;

	/** About 400 bytes each with a permit or two: 20 MB, as for leases. */
	static final int MOST_SUBJECTS = 50_000;

	/**
	 * New subjects spread over so many buckets, at the cost of half a megabyte.
	 */
	static final int SHARED_BUCKETS = 1024;

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

	/** Changed only while the subject's entry in {@link #states} is locked. */
	private final SharedBuckets shared;

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
		this.shared = new SharedBuckets(mostSubjects, sharedBuckets, shares);
		this.capabilities = new StoreCapabilities(NAME, Scope.LOCAL, EnumSet.allOf(Algorithm.class), false,
				Optional.empty(), Optional.of((permits, maxWait) -> permits.stream().map(this::count).toList()),
				Optional.of(this),
				new StoreDiagnostics(Optional::empty, () -> Optional.of(List.of()), this.shared::decisions), () -> 0,
				() -> sweep(SWEPT_PER_SECOND));
	}

	@Override
	public Pending<List<AcquireResult>> acquire(List<AcquireRequest> requests, Duration maxWait) {
		return Pending.of((requests.size() == 1) ? List.of(acquire(requests.get(0)))
				: requests.stream().map(this::acquire).toList());
	}

	private AcquireResult acquire(AcquireRequest request) {
		return decide(request, (state) -> state.acquire(request, nowMicros()));
	}

	private AcquireResult decide(AcquireRequest request, Function<SubjectState, AcquireResult> decision) {
		Limit limit = request.limit();
		AcquireResult[] result = new AcquireResult[1];
		SubjectState own = this.states.compute(Counted.by(limit, request.subject()), (counted, existing) -> {
			// The clock is read where a decision is applied, so that its order is that in
			// which the state is written.
			if (existing != null) {
				result[0] = decision.apply(existing);
				return existing;
			}
			// The decision reads the clock again: an earlier instant only lets the new
			// subject share.
			if (!this.shared.enter(counted, nowMicros())) {
				this.shared.use(counted, limit, (common) -> result[0] = marked(decision.apply(common)));
				return null;
			}
			try {
				SubjectState state = SubjectState.of(limit);
				result[0] = decision.apply(state);
				this.inspections.add(counted);
				return state;
			}
			catch (Throwable ex) {
				this.shared.leave(limit.rule());
				throw ex;
			}
		});
		if (own == null) {
			this.shared.report(limit.rule(), nowMicros());
		}
		inspect(INSPECTED_PER_REQUEST);
		return result[0];
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
		return decide(request, (state) -> (state instanceof CountedWindows<?> counting)
				? counting.count(request.limit(), request.cost(), taken.receipts(), nowMicros()) : NOT_COUNTED);
	}

	@Override
	public Pending<List<SettlementResult>> settle(List<Settlement> settlements, Duration maxWait) {
		return Pending.of(settlements.stream().map(Settlement::released).map(this::release).toList());
	}

	private SettlementResult release(AcquiredPermits taken) {
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
		Consumer<SubjectState> release = (state) -> acknowledged[0] = state.release(request, cost, known);
		Counted client = Counted.by(limit, request.subject());
		if (!isShared) {
			this.states.computeIfPresent(client, (counted, state) -> {
				release.accept(state);
				return state;
			});
		}
		if (isShared || isLog) {
			this.shared.useExisting(client, limit, release);
		}
		return acknowledged[0] ? SettlementResult.ACKNOWLEDGED : SettlementResult.LOST;
	}

	@Override
	public StoreCapabilities capabilities() {
		return this.capabilities;
	}

	@Override
	public Inspection peek(Limit limit, Subject subject, Duration maxWait) {
		List<List<Usage>> found = new ArrayList<>(1);
		Consumer<SubjectState> look = (state) -> found.add(state.peek(limit, nowMicros()));
		this.states.compute(Counted.by(limit, subject), (client, existing) -> {
			if (existing != null) {
				look.accept(existing);
			}
			else if (!this.shared.useExisting(client, limit, look)) {
				look.accept(SubjectState.of(limit));
			}
			return existing;
		});
		return new Inspection.Found(found.get(0));
	}

	/** What a subject shares with others stays counted, and is reported as such. */
	@Override
	public Optional<StoreFailure> reset(Limit limit, Subject subject, Duration maxWait) {
		Counted client = Counted.by(limit, subject);
		boolean own = this.states.computeIfPresent(client, (counted, existing) -> SubjectState.of(limit)) != null;
		return (own || !this.shared.isInUse(client, nowMicros())) ? Optional.empty()
				: Optional.of(StoreFailure.UNAVAILABLE);
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
		this.shared.leave(counted.rule());
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
		this.shared.clear();
	}

	/**
	 * Whose permits are counted together.
	 *
	 * @param rule the id of the rule
	 * @param kind the algorithm, or the refill by interval: its buckets have another
	 * format than those that flow
	 * @param subject the client
	 */
	record Counted(String rule, Enum<?> kind, Subject subject) {

		static Counted by(Limit limit, Subject subject) {
			Enum<?> kind = (limit.refill() == Refill.INTERVAL) ? limit.refill() : limit.algorithm();
			return new Counted(limit.rule(), kind, subject);
		}

	}

}
