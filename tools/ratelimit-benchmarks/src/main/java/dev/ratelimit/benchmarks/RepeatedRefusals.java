package dev.ratelimit.benchmarks;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.limiter.ClientInspector;
import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.DecisionListener;
import dev.ratelimit.limiter.DecisionPipeline;
import dev.ratelimit.limiter.Fallback;
import dev.ratelimit.limiter.RequestLimiter;
import dev.ratelimit.limiter.RuleRateLimiter;
import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.limiter.health.StoreListener;
import dev.ratelimit.limiter.health.StoreWatch;
import dev.ratelimit.limiter.refusal.DenyCache;
import dev.ratelimit.limiter.refusal.NamedRules;
import dev.ratelimit.limiter.remote.RemoteStore;
import dev.ratelimit.limiter.source.PermitSources;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.store.PermitIds;
import dev.ratelimit.store.memory.MemoryStore;
import dev.ratelimit.support.Waiter;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Refusals without the store, for a thousand keys in turn, all refused a moment ago: from
 * a look-up in the deny cache to the whole path through the limiter.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class RepeatedRefusals {

	private static final int KEYS = 1024;

	private static final String RULE = "bench";

	private final MemoryStore store = new MemoryStore(InstantSource.system());

	/** Longer than the benchmark runs. */
	private final DenyCache denyCache = new DenyCache(Duration.ofMinutes(1));

	private final RemoteStore remote = new RemoteStore(this.store, Source.STORE, Optional.empty(),
			new StoreWatch("memory", Optional::empty, StoreListener.all(List.of()), (event) -> {
			}, System::nanoTime), StoreListener.all(List.of()), System::nanoTime);

	private final RequestLimiter limiter = new RequestLimiter(
			new DecisionPipeline(this.denyCache, new PermitSources(Map.of()), this.remote, Fallback.alone(this.store),
					new PermitIds(new SecureRandom()), DecisionListener.all(List.of()), System::nanoTime),
			Duration.ofSeconds(10));

	private final SubjectEncoder subjects = new SubjectEncoder(64, "");

	private final CompiledRules rules = new CompiledRules(
			new RuleSet(List.of(RLConfig.builder(RULE).key("principal").thresholds("1/1h").build())), 64,
			NamedRules.NONE);

	private final RateLimiter rateLimiter = new RuleRateLimiter(
			() -> this.rules, this.limiter, this.subjects, new ClientInspector(this.store, Fallback.alone(this.store),
					this.denyCache, new PermitSources(Map.of()), Duration.ofSeconds(10)),
			new Waiter(System::nanoTime, LockSupport::parkNanos), true);

	private final CompiledRule rule = this.rules.find(RULE).orElseThrow();

	private final List<String> keys = new ArrayList<>(KEYS);

	private final List<RuleRequest> ruleRequests = new ArrayList<>(KEYS);

	private int next;

	/** Every key is refused once. */
	@Setup
	public void refuse() {
		for (int i = 0; i < KEYS; i++) {
			String key = "client-" + i;
			this.keys.add(key);
			this.ruleRequests.add(this.subjects.byKey(this.rule, List.of(key), Optional.empty(), 1));
			this.rateLimiter.tryAcquire(RULE, key);
			this.rateLimiter.tryAcquire(RULE, key);
		}
	}

	private int place() {
		this.next = (this.next + 1) % KEYS;
		return this.next;
	}

	/**
	 * A clock reading and a look-up in the cache.
	 * @return whether refused
	 */
	@Benchmark
	public boolean denyCache() {
		RuleRequest ruleRequest = this.ruleRequests.get(place());
		return this.denyCache.find(this.rule.standard().limit(), ruleRequest.subject(), ruleRequest.cost(),
				System.nanoTime()) != null;
	}

	/**
	 * The decision of a request whose key is already encoded.
	 * @return whether refused
	 */
	@Benchmark
	public boolean requestLimiterRefusesFromMemory() {
		return !this.limiter.decide(List.of(this.ruleRequests.get(place())), this.limiter.newBudget())
			.await()
			.isAdmitted();
	}

	/**
	 * A call from code, including the hash of the key.
	 * @return whether refused
	 */
	@Benchmark
	public boolean rateLimiterRefusesFromMemory() {
		return !this.rateLimiter.tryAcquire(RULE, this.keys.get(place())).isAllowed();
	}

}
