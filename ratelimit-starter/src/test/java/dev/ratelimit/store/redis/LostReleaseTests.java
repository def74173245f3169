package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.embeddedredis.RedisCluster;
import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.DelegatingStore;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.RecordingListener;
import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.RequestDecision;
import dev.ratelimit.limiter.RequestLimiter;
import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.limiter.TestLimiter;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SettlementResult;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.redis.resp.RedisConnections;
import dev.ratelimit.store.wire.CallRunner;
import dev.ratelimit.support.Pending;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.util.JedisClusterCRC16;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A node of a Cluster goes away after it has granted permits and before another node's
 * refusal releases them.
 */
class LostReleaseTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	/** A write that was acknowledged is still there after a kill. */
	private static final RedisCluster CLUSTER = RedisCluster.start(3, 0, "--cluster-require-full-coverage", "no",
			"--cluster-node-timeout", "20000", "--appendonly", "yes", "--appendfsync", "always");

	private final MovableClock clock = new MovableClock();

	private final RecordingListener listener = new RecordingListener();

	private final CallRunner connections = new RedisConnections(TestConnectionDetails.cluster(CLUSTER.addresses()),
			SharedRedis.settings(8))
		.open();

	private final RateLimitStore store = InjectedTime.store(this.connections, this.clock, SharedRedis.PREFIX);

	@AfterEach
	void disconnect() {
		this.connections.close();
	}

	@AfterAll
	static void closeCluster() {
		CLUSTER.close();
	}

	@Test
	void permitsOnANodeThatIsKilledStayUsedUntilTheirWindowHasPassed() {
		RedisServer first = CLUSTER.nodes().get(0);
		List<RuleRequest> granting = granting("killed");
		assertThatTheRefusalStands(granting, first::kill);
		assertThat(this.listener.events())
			.containsAll(granting.stream().map((ruleRequest) -> ruleRequest.rule().id() + " not released").toList());
		first.restart();
		for (RuleRequest ruleRequest : granting) {
			Awaitility.await().atMost(PATIENCE).until(() -> !(result(ruleRequest) instanceof AcquireResult.Failed));
			assertThat(result(ruleRequest)).as("in the window of " + ruleRequest.rule().id())
				.isInstanceOf(AcquireResult.Refused.class);
		}
		this.clock.advance(Duration.ofMinutes(2));
		assertThat(granting).allMatch((ruleRequest) -> result(ruleRequest) instanceof AcquireResult.Admitted);
	}

	@Test
	void permitsOnANodeThatStandsStillAreReleasedWhenItGoesOn() {
		RedisServer first = CLUSTER.nodes().get(0);
		List<RuleRequest> granting = granting("paused");
		assertThatTheRefusalStands(granting, first::pause);
		first.resume();
		for (RuleRequest ruleRequest : granting) {
			Awaitility.await().atMost(PATIENCE).until(() -> result(ruleRequest) instanceof AcquireResult.Admitted);
			assertThat(result(ruleRequest)).as("a second one in the window of " + ruleRequest.rule().id())
				.isInstanceOf(AcquireResult.Refused.class);
		}
		this.clock.advance(Duration.ofMinutes(2));
		assertThat(granting).allMatch((ruleRequest) -> result(ruleRequest) instanceof AcquireResult.Admitted);
	}

	/** One rule of each algorithm, all on the first node. */
	private static List<RuleRequest> granting(String name) {
		return Stream.of(Algorithm.values())
			.map((algorithm) -> request(name + "-" + algorithm.letter(), algorithm, (slot) -> slot < 5000))
			.toList();
	}

	private static RuleRequest request(String id, Algorithm algorithm, IntPredicate slots) {
		CompiledRule rule = CompiledRule.of(RLConfig.builder(id).algorithm(algorithm).thresholds("1/60s").build(), 64,
				false);
		Subject subject = IntStream.range(0, 1000)
			.filter((i) -> slots.test(JedisClusterCRC16
				.getSlot(StoreRequests.key(StoreRequests.request(rule.standard().limit(), "s" + i)))))
			.mapToObj((i) -> new Subject("s" + i))
			.findFirst()
			.orElseThrow();
		return new RuleRequest(rule, rule.standard(), subject, 1);
	}

	private void assertThatTheRefusalStands(List<RuleRequest> granting, Runnable between) {
		RuleRequest refusing = request("refusing", Algorithm.SLIDING_WINDOW_LOG,
				(slot) -> slot > 6000 && slot < 10_000);
		result(refusing);
		RateLimitStore interrupted = new Interrupted(this.store, between);
		RequestLimiter limiter = TestLimiter.over(interrupted, this.clock)
			.listener(this.listener)
			.deadline(Duration.ofMillis(500))
			.build();
		List<RuleRequest> all = new ArrayList<>(granting);
		all.add(refusing);
		RequestDecision decision = limiter.decide(all, limiter.newBudget()).await();
		assertThat(decision.refusals()).extracting(RateLimitDecision::rule).containsExactly("refusing");
		assertThat(decision.permits()).isEmpty();
		assertThat(this.listener.events()).contains("refusing REJECTED by STORE");
	}

	private AcquireResult result(RuleRequest ruleRequest) {
		return StoreRequests.acquire(this.store,
				StoreRequests.request(ruleRequest.rule().standard().limit(), ruleRequest.subject().text()));
	}

	/** Runs an action after permits were acquired and before they are released. */
	private static final class Interrupted extends DelegatingStore {

		private final Runnable between;

		Interrupted(RateLimitStore store, Runnable between) {
			super(store);
			this.between = between;
		}

		@Override
		public Pending<List<SettlementResult>> settle(List<Settlement> settlements, Duration maxWait) {
			this.between.run();
			return super.settle(settlements, maxWait);
		}

	}

}
