package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.RateLimitDecision.Allowed;
import dev.ratelimit.RateLimitDecision.Rejected;
import dev.ratelimit.RateLimitDecision.Unavailable;
import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.BlockingCalls;
import dev.ratelimit.fixture.FaultProxy;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.limiter.remote.Breakers;
import dev.ratelimit.rule.OnStoreFailure;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.PermitIds;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.redis.OwnRedis;
import dev.ratelimit.store.redis.RedisStore;
import dev.ratelimit.store.redis.SharedRedis;
import dev.ratelimit.store.redis.StoreRequests;
import dev.ratelimit.store.redis.TestConnectionDetails;
import dev.ratelimit.store.wire.Decisions;
import dev.ratelimit.support.WaitBudget;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Decisions that leave a completion instead of a thread that waits, in a real Redis.
 */
class PendingDecisionsTests {

	private static final int CONNECTIONS = 4;

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final Duration SHORT = Duration.ofMillis(300);

	private static final Duration OPEN = Duration.ofMillis(100);

	/** Costs nothing, as it is refused. */
	private static final long TOO_MANY = 1_000_000;

	private static final String LOOP = "loop of the application";

	private final RedisServer server = OwnRedis.server();

	private final FaultProxy proxy = FaultProxy.to(this.server.port());

	private final RedisStore store = SharedRedis.store(TestConnectionDetails.standalone(this.proxy.address()),
			SharedRedis.settings(CONNECTIONS, 1000));

	private final Breakers breakers = new Breakers(5, OPEN, SHORT, System::nanoTime);

	/** The threads on which decisions completed. */
	private final Set<String> threads = ConcurrentHashMap.newKeySet();

	private final DecisionPipeline pipeline = TestLimiter.over(this.store)
		.breakers(this.breakers)
		.permitIds(new PermitIds(new SplittableRandom()))
		.pipeline();

	private final ExecutorService loop = Executors.newSingleThreadExecutor((task) -> new Thread(task, LOOP));

	@AfterEach
	void close() {
		this.loop.shutdownNow();
		this.store.close();
		this.proxy.close();
	}

	private static RuleRequest request(String rule, String threshold) {
		CompiledRule compiled = CompiledRule
			.of(RLConfig.builder(rule).thresholds(threshold).onStoreFailure(OnStoreFailure.DENY).build(), 64, true);
		return new RuleRequest(compiled, compiled.standard(), new Subject("s"), 1);
	}

	/** A decision under way. */
	private record Started(AtomicInteger completions, AtomicReference<RequestDecision> decision) {

		boolean isComplete() {
			return this.completions.get() > 0;
		}

		boolean is(Class<?> type) {
			return this.decision.get().decided().stream().anyMatch((one) -> type.isInstance(one.decision()));
		}

	}

	private Started start(Duration deadline, RuleRequest... requests) {
		return start(this.loop, deadline, requests);
	}

	private Started start(Executor loop, Duration deadline, RuleRequest... requests) {
		Started started = new Started(new AtomicInteger(), new AtomicReference<>());
		this.pipeline.decide(List.of(requests), new WaitBudget(deadline))
			.start(loop)
			.whenComplete((decision, failure) -> {
				this.threads.add(Thread.currentThread().getName());
				started.decision().set(decision);
				started.completions().incrementAndGet();
			});
		return started;
	}

	private List<Started> start(int count, Duration deadline, RuleRequest... requests) {
		return IntStream.range(0, count).mapToObj((i) -> start(deadline, requests)).toList();
	}

	/** Each completes once. */
	private void end(List<Started> all) {
		await().atMost(LONG).until(() -> all.stream().allMatch(Started::isComplete));
		assertThat(all).allMatch((started) -> started.completions().get() == 1);
	}

	private static Stream<Started> of(Class<?> type, List<Started> all) {
		return all.stream().filter((started) -> started.is(type));
	}

	private long remaining(String rule, String threshold) {
		Limit limit = Limits.of(rule, threshold);
		AcquireResult result = StoreRequests.acquire(this.store, StoreRequests.request(limit, "s", TOO_MANY),
				Patience.LONG);
		return (result instanceof AcquireResult.Refused refused) ? refused.usage().get(0).remaining() : -1;
	}

	@Test
	void aThousandPendOnOneThreadThatNeverWaits() {
		RuleRequest request = request("thousand", "500/600s");
		end(start(1, LONG, request));
		this.threads.clear();
		this.server.pause();
		List<Started> all = new ArrayList<>();
		assertThat(BlockingCalls.of(() -> all.addAll(start(1000, LONG, request)))).isEmpty();
		assertThat(all).noneMatch(Started::isComplete);
		this.server.resume();
		end(all);
		assertThat(of(Allowed.class, all)).hasSize(499);
		assertThat(of(Rejected.class, all)).hasSize(501);
		assertThat(this.threads).containsExactly(LOOP);
	}

	@Test
	void aRefusalReleasesThePermitsOfOtherRulesWithoutAThread() {
		RuleRequest wide = request("wide", "100/600s");
		RuleRequest narrow = request("narrow", "1/600s");
		end(start(1, LONG, wide, narrow));
		Queue<Runnable> loop = new ConcurrentLinkedQueue<>();
		List<Started> all = new ArrayList<>();
		assertThat(BlockingCalls.of(() -> {
			IntStream.range(0, 50).forEach((i) -> all.add(start(loop::add, LONG, wide, narrow)));
			while (!all.stream().allMatch(Started::isComplete)) {
				Optional.ofNullable(loop.poll()).ifPresent(Runnable::run);
			}
		})).isEmpty();
		assertThat(of(Rejected.class, all)).hasSize(50);
		assertThat(all).allMatch((started) -> started.decision().get().permits().isEmpty());
		assertThat(remaining("wide", "100/600s")).isEqualTo(99);
	}

	@Test
	void aRedisThatAnswersTooLateTakesNoPermits() {
		RuleRequest request = request("late", "500/600s");
		end(start(1, LONG, request));
		this.server.pause();
		List<Started> all = start(100, SHORT, request);
		end(all);
		assertThat(of(Unavailable.class, all)).hasSize(100);
		this.server.resume();
		await().atMost(LONG).until(() -> remaining("late", "500/600s") == 499);
	}

	@Test
	void aRedisThatNeverAnswersLeavesNoBreakerOpen() {
		RuleRequest request = request("never", "500/600s");
		end(start(1, LONG, request));
		this.server.pause();
		end(start(100, SHORT, request));
		// Failures that were in progress together count once.
		await().atMost(LONG).until(() -> {
			end(start(1, SHORT, request));
			return this.breakers.open() == 1;
		});
		this.server.resume();
		await().atMost(LONG).until(() -> {
			List<Started> probe = start(1, LONG, request);
			end(probe);
			return probe.get(0).is(Allowed.class);
		});
		assertThat(this.breakers.open()).isZero();
	}

	@Test
	void pendingDecisionsEndWhereAReplicaTakesOver() {
		RuleRequest request = request("failover", "500/600s");
		end(start(10, LONG, request));
		try (RedisServer replica = RedisServer.start("--replicaof", this.server.host(),
				Integer.toString(this.server.port())); Jedis admin = new Jedis(replica.host(), replica.port())) {
			await().atMost(LONG).until(() -> admin.dbSize() == 1);
			this.server.pause();
			List<Started> all = start(300, LONG, request);
			this.proxy.redirect(replica.port());
			admin.replicaofNoOne();
			this.server.kill();
			end(all);
			await().atMost(LONG).until(() -> remaining("failover", "500/600s") >= 0);
			long admitted = of(Allowed.class, all).count();
			assertThat(remaining("failover", "500/600s")).isEqualTo(490 - admitted);
			List<Started> next = start(1, LONG, request);
			end(next);
			assertThat(of(Allowed.class, next)).hasSize(1);
		}
	}

	@Test
	void anExecutorThatWasShutDownLosesNoDecision() {
		RuleRequest request = request("shut-down", "500/600s");
		end(start(1, LONG, request));
		this.server.pause();
		List<Started> all = start(10, LONG, request);
		this.loop.shutdown();
		this.threads.clear();
		this.server.resume();
		end(all);
		assertThat(of(Allowed.class, all)).hasSize(10);
		assertThat(this.threads).as("not on a thread of a node")
			.isNotEmpty()
			.noneMatch((thread) -> thread.startsWith("ratelimit-"));
	}

}
