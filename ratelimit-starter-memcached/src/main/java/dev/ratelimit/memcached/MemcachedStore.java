package dev.ratelimit.memcached;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.ratelimit.memcached.meta.MetaCall;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.LateReplyListener;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SettlementResult;
import dev.ratelimit.store.StoreCapabilities;
import dev.ratelimit.store.StoreCapabilities.Scope;
import dev.ratelimit.store.StoreDiagnostics;
import dev.ratelimit.store.wire.CallRunner;
import dev.ratelimit.store.wire.Deadline;
import dev.ratelimit.store.wire.PermitReleaser;
import dev.ratelimit.support.Pending;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Counts in Memcached 1.6.12 or newer, on connections of its own. A request is one round
 * trip: its cost is added to the count of each window, and it is admitted if no count is
 * above its threshold. Otherwise its cost is subtracted again, in a second round trip.
 * Until then others may be refused too early. What Memcached keeps of a window is not
 * above its threshold by what was admitted, with the exceptions that docs/memcached.md
 * lists; Memcached forgets counts when its memory is full and when it restarts.
 *
 * <h2>What is stored</h2> One key per window, of at most 250 bytes, that begins with the
 * prefix, the rule and the subject, which alone determine the server:
 *
 * <pre>
 * ma rl:shop:login:i10.0.0.1:f1:60 N61 J1 D1 MI v t                    fixed-window
 * mg rl:shop:search:ualice:c1:60:29919440 v t                          sliding-window-counter,
 * ma rl:shop:search:ualice:c1:60:29919441 N121 J1 D1 MI v t            the window before and the current one
 * </pre>
 *
 * A fixed window begins with its first use, on the clock of the server. Two counters, and
 * the fixed windows of synced rules, begin at whole multiples of their length on the
 * clock of the instance. Each key expires a second after its count has ceased to matter.
 */
public final class MemcachedStore implements RateLimitStore {

	/** The algorithms that two counts per window can decide. */
	static final Set<Algorithm> ALGORITHMS = EnumSet.of(Algorithm.FIXED_WINDOW, Algorithm.SLIDING_WINDOW_COUNTER);

	/** The divisor for the part of a deadline that remains for a release. */
	private static final int LEAST_PART = 5;

	private static final Log logger = LogFactory.getLog(MemcachedStore.class);

	private final CallRunner runner;

	private final WindowCallFactory calls;

	private final PermitReleaser releaser;

	private final StoreCapabilities capabilities;

	/**
	 * Create a store over open connections. They are closed with the store.
	 * @param runner runs calls on them
	 * @param keyPrefix the start of every key: 1 to 80 bytes without blanks and control
	 * characters
	 * @param clock the clock of this instance
	 * @param listener receives the outcome of background work
	 */
	public MemcachedStore(CallRunner runner, String keyPrefix, InstantSource clock, LateReplyListener listener) {
		this.runner = runner;
		this.calls = new WindowCallFactory(keyPrefix, clock);
		this.releaser = new PermitReleaser("memcached", runner, this.calls, listener, logger);
		this.capabilities = new StoreCapabilities("memcached", Scope.SHARED, ALGORITHMS, false, Optional.empty(),
				Optional.of(new MemcachedCounter(runner, this.calls)),
				Optional.of(new MemcachedInspector(runner, this.calls)),
				new StoreDiagnostics(runner::lastFailure, new EvictionCheck(runner)::concerns, () -> 0),
				runner::incarnation, () -> {
				});
	}

	@Override
	public Pending<List<AcquireResult>> acquire(List<AcquireRequest> requests, Duration maxWait) {
		return Pending.defer(() -> acquireNow(requests, maxWait));
	}

	private Pending<List<AcquireResult>> acquireNow(List<AcquireRequest> requests, Duration maxWait) {
		Deadline deadline = Deadline.in(maxWait);
		List<Attempt> attempts = new ArrayList<>(requests.size());
		List<MetaCall> sent = new ArrayList<>(requests.size());
		for (AcquireRequest request : requests) {
			Attempt attempt = Attempt.of(request, this.calls.windows(request));
			attempts.add(attempt);
			sent.add(attempt.call(this.releaser));
		}
		return this.runner.pending(sent, maxWait, (ended) -> decisions(attempts, ended))
			.flatMap((decisions) -> settled(decisions, deadline, maxWait));
	}

	/** This application may have used the deadline itself, before it could send. */
	private static Duration forRelease(Deadline deadline, Duration maxWait) {
		return Duration.ofNanos(Math.max(deadline.leftNanos(), maxWait.toNanos() / LEAST_PART));
	}

	private static List<Attempt.Decision> decisions(List<Attempt> attempts, List<MetaCall> ended) {
		List<Attempt.Decision> decisions = new ArrayList<>(attempts.size());
		for (int i = 0; i < attempts.size(); i++) {
			decisions.add(attempts.get(i).decision(ended.get(i).outcome()));
		}
		return decisions;
	}

	/**
	 * A refused client finds its true count with its next request, such as one for less.
	 */
	private Pending<List<AcquireResult>> settled(List<Attempt.Decision> decisions, Deadline deadline,
			Duration maxWait) {
		List<AcquireResult> results = new ArrayList<>(decisions.size());
		List<AcquiredPermits> toRelease = List.of();
		for (Attempt.Decision decision : decisions) {
			results.add(decision.result());
			if (decision.toRelease().isPresent()) {
				toRelease = toRelease.isEmpty() ? new ArrayList<>(decisions.size()) : toRelease;
				toRelease.add(decision.toRelease().get());
			}
		}
		if (toRelease.isEmpty()) {
			return Pending.of(results);
		}
		return this.releaser.release(toRelease, forRelease(deadline, maxWait)).map((released) -> results);
	}

	@Override
	public Pending<List<SettlementResult>> settle(List<Settlement> settlements, Duration maxWait) {
		return this.releaser.release(settlements.stream().map(Settlement::released).toList(), maxWait);
	}

	@Override
	public String shard(AcquireRequest request) {
		return this.runner
			.shard(() -> this.calls.start(request.limit(), request.subject()).getBytes(StandardCharsets.UTF_8));
	}

	@Override
	public StoreCapabilities capabilities() {
		return this.capabilities;
	}

	@Override
	public String describe() {
		return this.runner.describe();
	}

	@Override
	public void close() {
		this.releaser.close();
		this.runner.close();
	}

}
