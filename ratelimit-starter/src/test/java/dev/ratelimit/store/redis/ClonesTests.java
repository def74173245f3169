package dev.ratelimit.store.redis;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.RequestDecision;
import dev.ratelimit.limiter.RequestLimiter;
import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.limiter.TestLimiter;
import dev.ratelimit.rule.OnStoreFailure;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.PermitIds;
import dev.ratelimit.store.ProcessName;
import dev.ratelimit.store.Subject;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.args.ClientType;
import redis.clients.jedis.params.ClientKillParams;
import redis.clients.jedis.params.ClientKillParams.SkipMe;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Copies of one process (restored snapshots, cloned virtual machines) have the same
 * memory, random numbers included, and none of its connections.
 */
class ClonesTests {

	private static final int LIMIT = 10;

	/** The incarnation that both copies start with. */
	private static final long BEFORE = 42;

	private final RedisServer server = OwnRedis.server();

	private final List<Copy> copies = List.of(new Copy(), new Copy());

	@AfterEach
	void close() {
		this.copies.forEach((copy) -> copy.store.close());
	}

	private void loseConnections() {
		List<Long> before = this.copies.stream()
			.map((copy) -> copy.store.capabilities().incarnation().getAsLong())
			.toList();
		try (Jedis redis = new Jedis(this.server.host(), this.server.port())) {
			redis.clientKill(new ClientKillParams().type(ClientType.NORMAL).skipMe(SkipMe.YES));
		}
		for (int i = 0; i < this.copies.size(); i++) {
			Copy copy = this.copies.get(i);
			long numberBefore = before.get(i);
			copy.restored.set(true);
			// A connection is seen to be lost when it is used.
			Awaitility.await()
				.atMost(30, TimeUnit.SECONDS)
				.until(() -> copy.isDecidedByTheStore("nobody")
						&& copy.store.capabilities().incarnation().getAsLong() != numberBefore);
		}
	}

	private int admitted() {
		int admitted = 0;
		for (int i = 0; i < 2 * LIMIT; i++) {
			for (Copy copy : this.copies) {
				admitted += copy.isAdmitted("somebody") ? 1 : 0;
			}
		}
		return admitted;
	}

	@Test
	void copiesThatHaveLostTheirConnectionsAdmitTheLimitTogether() {
		loseConnections();
		assertThat(admitted()).isEqualTo(LIMIT);
	}

	/** So it is the loss that makes the difference. */
	@Test
	void copiesThatLoseNoConnectionAdmitTheLimitTwice() {
		assertThat(admitted()).isEqualTo(2 * LIMIT);
	}

	@Test
	void copiesThatHaveLostTheirConnectionsHaveOtherNames() {
		List<Long> before = this.copies.stream().map((copy) -> copy.name.bits()).toList();
		assertThat(before.get(0)).isEqualTo(before.get(1));
		loseConnections();
		Set<Long> after = new HashSet<>(this.copies.stream().map((copy) -> copy.name.bits()).toList());
		assertThat(after).hasSize(2).doesNotContainAnyElementsOf(before);
	}

	@Test
	void aNameStaysWhileThereAreConnections() {
		RedisStore store = this.copies.get(0).store;
		long before = store.capabilities().incarnation().getAsLong();
		for (int i = 0; i < 100; i++) {
			assertThat(this.copies.get(0).isDecidedByTheStore("somebody")).isTrue();
		}
		assertThat(store.capabilities().incarnation().getAsLong()).isEqualTo(before);
	}

	/** A snapshot may be taken while there is no connection. */
	@Test
	void noNameStaysWithoutConnections() {
		try (RedisStore store = SharedRedis.store(TestConnectionDetails.standalone("localhost:1"),
				SharedRedis.settings(4))) {
			Set<Long> numbers = new HashSet<>();
			List<Long> all = new ArrayList<>();
			for (int i = 0; i < 10; i++) {
				all.add(store.capabilities().incarnation().getAsLong());
			}
			numbers.addAll(all);
			assertThat(numbers).hasSameSizeAs(all);
		}
	}

	/** A limiter with a state that the other one has too. */
	private final class Copy {

		private final CompiledRule rule = CompiledRule.of(
				RLConfig.builder("clones").thresholds(LIMIT + "/1h").onStoreFailure(OnStoreFailure.DENY).build(), 64,
				false);

		private final AtomicBoolean restored = new AtomicBoolean();

		private final RedisStore store = SharedRedis
			.store(TestConnectionDetails.standalone(ClonesTests.this.server.address()), SharedRedis.settings(4));

		private final ProcessName name = new ProcessName(new SplittableRandom(1),
				() -> this.restored.get() ? this.store.capabilities().incarnation().getAsLong() : BEFORE);

		private final RequestLimiter limiter = TestLimiter.over(this.store).permitIds(new PermitIds(this.name)).build();

		private RequestDecision decide(String subject) {
			return this.limiter
				.decide(List.of(new RuleRequest(this.rule, this.rule.standard(), new Subject(subject), 1)),
						this.limiter.newBudget())
				.await();
		}

		boolean isDecidedByTheStore(String subject) {
			return decide(subject).decided().get(0).decision().source() == Source.STORE;
		}

		boolean isAdmitted(String subject) {
			return decide(subject).isAdmitted();
		}

	}

}
