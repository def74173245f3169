package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.spi.LimitScope;
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
import dev.ratelimit.store.redis.resp.Script;
import dev.ratelimit.store.redis.resp.ScriptCall;
import dev.ratelimit.store.wire.CallRunner;
import dev.ratelimit.store.wire.NodeCall;
import dev.ratelimit.store.wire.PermitReleaser;
import dev.ratelimit.support.Pending;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Counts in Redis 6.2 or newer, on connections of its own: standalone, behind Sentinel or
 * in a Cluster. A request is one script call, decided atomically on Redis' own clock.
 * Concurrent calls share commands, and all requests of one call are sent before the first
 * reply is awaited. A call waits for its replies no longer than its caller allows, and
 * before that for a connection and a thread of this application, while Redis answers
 * others, at most four times as long. Connections are opened in the background, one after
 * the other for each node. A late reply is also read in the background, and the permits
 * that it granted are released.
 *
 * <h2>What is stored</h2> One key per rule and subject, at most 200 bytes long: the
 * prefix, rule and subject (which alone name the hash slot), and the letter and schema
 * version of the algorithm; an interval bucket has a letter of its own. With the
 * sliding-window log it is a sorted set:
 *
 * <pre>
 * ZADD rl:shop:{get-product:i10.0.0.1}:l1 NX 1795166420123456 7gkPzQ00000042
 * PEXPIRE rl:shop:{get-product:i10.0.0.1}:l1 75125
 * </pre>
 *
 * Members are permit ids, with the suffix {@code .n} for the n-th further permit of one
 * request and {@code !} for a counted refusal. Scores are microseconds. There are never
 * more members than the largest threshold of the rule (twice that if its plans have other
 * longest windows), 110 to 131 bytes each. Each turn that a request waits for has one
 * more member, marked {@code ~} and dated at the turn. One member {@code @} beside them
 * stores when the last turn was given. With the other algorithms the value is a string of
 * a few numbers per window, documented at the head of each script. It is written by
 * {@code SET} with {@code PX}, or with {@code KEEPTTL} or {@code SETRANGE} where the key
 * already lives long enough. A key expires a tenth of a second after its content has
 * ceased to matter. A log, or a bucket with one window, may live up to a quarter longer.
 * The time until the last turn is added to that. A value of another type that was stored
 * under one of these keys from outside is deleted.
 *
 * <h2>What it costs</h2> One {@code EVALSHA}. An admission to a log calls {@code TIME},
 * {@code ZCARD}, a {@code ZCOUNT} per window, {@code ZREMRANGEBYSCORE} if there are old
 * entries, {@code PTTL}, {@code ZADD}, {@code PEXPIRE} if the expiry is too near, and a
 * {@code ZRANGE} for each window that it uses up. An admission by any other algorithm
 * calls {@code TIME}, {@code GET}, and {@code SET} or {@code SETRANGE}. A refusal writes
 * nothing, unless it is to be counted. The script is sent as text ({@code EVAL}) only to
 * a node that does not have it. Tested by {@code StoreContractTests}.
 *
 * <h2>What it must be allowed</h2> The section "Least rights" of {@code docs/redis.md}
 * lists the rights of an ACL user for each feature. For the sliding-window log:
 *
 * <pre>
 * ACL SETUSER limiter on &gt;secret ~rl:shop:* +client|setname +evalsha +eval +time
 * ACL SETUSER limiter +zrange +zcard +zcount +zscore +zadd +zremrangebyscore +zremrangebyrank
 *     +zrem +pttl +pexpire
 * </pre>
 */
public final class RedisStore implements RateLimitStore {

	private static final Log logger = LogFactory.getLog(RedisStore.class);

	private final CallRunner runner;

	private final ScriptCallFactory calls;

	private final PermitReleaser releaser;

	private final StoreCapabilities capabilities;

	/**
	 * Create a store over open connections. They are closed with the store.
	 * @param runner runs scripts on them
	 * @param keyPrefix the start of every key
	 * @param listener receives the outcome of background work
	 * @param scope counts the limits that have a scope of a module
	 * @throws IllegalStateException if a script is missing from the class path
	 */
	public RedisStore(CallRunner runner, String keyPrefix, LateReplyListener listener, Optional<LimitScope> scope) {
		this(runner, keyPrefix, AlgorithmScripts.load(), listener, scope, Script.read(Script.CLOCK));
	}

	RedisStore(CallRunner runner, String keyPrefix, Map<StoredFormat, AlgorithmScripts> scripts,
			LateReplyListener listener) {
		this(runner, keyPrefix, scripts, listener, Optional.empty(), Script.read(Script.CLOCK));
	}

	RedisStore(CallRunner runner, String keyPrefix, Map<StoredFormat, AlgorithmScripts> scripts,
			LateReplyListener listener, Optional<LimitScope> scope, String clock) {
		this.runner = runner;
		this.calls = new ScriptCallFactory(keyPrefix, scripts, scope.map((its) -> ScopedLimits.of(its, clock)));
		this.releaser = new PermitReleaser("redis", runner, this.calls, listener, logger);
		this.capabilities = new StoreCapabilities("redis", Scope.SHARED, EnumSet.allOf(Algorithm.class), true,
				Optional.of(RedisInstances.shipped(runner, keyPrefix)), Optional.of(this::count),
				Optional.of(new RedisInspector(runner, this.calls)),
				new StoreDiagnostics(runner::lastFailure, new EvictionCheck(runner, keyPrefix)::concerns, () -> 0),
				runner::incarnation, () -> {
				});
	}

	@Override
	public Pending<List<AcquireResult>> acquire(List<AcquireRequest> requests, Duration maxWait) {
		return this.runner.pending(calls(requests), maxWait, (ended) -> results(ended, requests));
	}

	private List<ScriptCall> calls(List<AcquireRequest> requests) {
		if (requests.size() == 1) {
			return List.of(call(requests.get(0)));
		}
		ScriptCall[] calls = new ScriptCall[requests.size()];
		Arrays.setAll(calls, (i) -> call(requests.get(i)));
		return List.of(calls);
	}

	private ScriptCall call(AcquireRequest request) {
		return this.calls.take(request, request.isPause() ? NodeCall.Afterwards.NOTHING
				: new LateRequest(request, this.calls.scoped(request.limit()).isPresent(), this.releaser));
	}

	private List<AcquireResult> results(List<ScriptCall> calls, List<AcquireRequest> requests) {
		if (calls.size() == 1) {
			return List.of(decided(calls.get(0), requests.get(0)));
		}
		AcquireResult[] results = new AcquireResult[calls.size()];
		Arrays.setAll(results, (i) -> decided(calls.get(i), requests.get(i)));
		return List.of(results);
	}

	private AcquireResult decided(NodeCall call, AcquireRequest request) {
		Optional<ScopedLimits> scoped = this.calls.scoped(request.limit());
		AcquireResult result = result(call, request, scoped.isPresent());
		if (scoped.isPresent() && !(result instanceof AcquireResult.Failed)
				&& call.outcome() instanceof NodeCall.Replied replied) {
			scoped.get()
				.scope()
				.decided(request.limit(), request.subject(), UsageReply.last((List<?>) replied.reply()));
		}
		return result;
	}

	static AcquireResult result(NodeCall call, AcquireRequest request, boolean scoped) {
		if (call.outcome() instanceof NodeCall.Replied replied) {
			return UsageReply.read(replied.reply(), request, scoped);
		}
		NodeCall.FailedCall failed = (NodeCall.FailedCall) call.outcome();
		return new AcquireResult.Failed(failed.failure(), failed.fate());
	}

	private List<AcquireResult> count(List<AcquiredPermits> permits, Duration maxWait) {
		List<ScriptCall> calls = permits.stream().map(this.calls::count).toList();
		this.runner.run(calls, maxWait);
		return results(calls, permits.stream().map(AcquiredPermits::request).toList());
	}

	@Override
	public Pending<List<SettlementResult>> settle(List<Settlement> settlements, Duration maxWait) {
		return this.releaser.release(settlements.stream().map(Settlement::released).toList(), maxWait);
	}

	@Override
	public String shard(AcquireRequest request) {
		return this.runner.shard(() -> this.calls.key(request));
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
