package dev.ratelimit.store.redis;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.Inspection;
import dev.ratelimit.store.Inspector;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SettlementResult;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.redis.LeastRightsTests.Feature;
import dev.ratelimit.store.redis.resp.RedisStoreSettings;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.ClientKillParams;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Passwords and access control lists: the rights that {@link RedisStore} names suffice,
 * and each of them is needed.
 */
class AccessTests {

	private static final RedisServer SERVER = RedisServer.start();

	private static final List<String> NEEDED_BY_ALL = List.of("on", ">secret", "+client|setname");

	private static final RedisStoreSettings SETTINGS = SharedRedis.settings(2);

	private final Jedis admin = SharedRedis.connect(SERVER);

	@AfterEach
	void disconnect() {
		this.admin.flushAll();
		this.admin.close();
	}

	@AfterAll
	static void stop() {
		SERVER.close();
	}

	@Test
	void aUserWithTheLeastRightsSuffices() throws IOException {
		allow(rights().toList());
		assertThat(useEverything()).isEmpty();
		assertThat(this.admin.aclLog()).isEmpty();
		SharedRedis.checkAndRemoveKeys(SERVER);
	}

	@Test
	void theInstancesAreNotDeletedForLackOfARight() throws IOException {
		List<String> less = new ArrayList<>(rights().toList());
		less.remove("+zadd");
		allow(less);
		String key = SharedRedis.PREFIX + ":{instances}";
		this.admin.zadd(key, 1, "another");
		try (RedisStore store = open("limiter", "secret")) {
			assertThat(store.capabilities().instances().orElseThrow().beat("a", Duration.ofSeconds(3))).isEmpty();
		}
		assertThat(this.admin.zrange(key, 0, -1)).containsExactly("another");
	}

	@Test
	void theRightsForAClusterSuffice() throws IOException {
		String[] rules = Stream
			.concat(Stream.of("on", ">secret"),
					Stream.concat(rights(), LeastRightsTests.rights(Feature.CLUSTER).stream()))
			.toArray(String[]::new);
		for (RedisServer node : SharedRedis.cluster().nodes()) {
			try (Jedis redis = SharedRedis.connect(node)) {
				redis.aclSetUser("limiter", rules);
			}
		}
		TestConnectionDetails details = TestConnectionDetails.cluster(SharedRedis.cluster().addresses());
		try (RedisStore store = SharedRedis.store(details.as("limiter", "secret"), SETTINGS)) {
			Limit limit = Limits.of("acl-cluster", "5/60s");
			List<AcquireRequest> requests = IntStream.range(0, 30)
				.mapToObj((i) -> StoreRequests.request(limit, "h" + i))
				.toList();
			assertThat(store.acquire(requests, Patience.LONG).await()).allMatch(StoreRequests::isAdmitted);
			assertThat(store
				.settle(Settlement.release(requests.stream().map(AcquiredPermits::new).toList()), Patience.LONG)
				.await()).containsOnly(SettlementResult.ACKNOWLEDGED);
		}
	}

	@Test
	void aClusterThatRefusesThePasswordIsReportedAsNotPermitted() {
		TestConnectionDetails details = TestConnectionDetails.cluster(SharedRedis.cluster().addresses());
		try (RedisStore store = SharedRedis.store(details.as("nobody", "wrong"), SETTINGS)) {
			assertThat(StoreRequests.acquire(store, Limits.of("acl-cluster-wrong", "5/60s"), "a"))
				.isEqualTo(StoreRequests.failed(StoreFailure.NOT_PERMITTED, Fate.NOT_TAKEN));
			assertThat(store.capabilities().diagnostics().lastFailure().get())
				.hasValueSatisfying((failure) -> assertThat(failure).startsWith(store.describe() + ": WRONGPASS"));
		}
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("rights")
	void everyRightIsNeeded(String right) throws IOException {
		List<String> less = new ArrayList<>(rights().toList());
		less.remove(right);
		allow(less);
		assertThat(useEverything()).isNotEmpty().allMatch(StoreFailure.NOT_PERMITTED::equals);
	}

	@Test
	void aWrongPasswordIsNotPermittedAndHasNotCounted() throws IOException {
		allow(rights().toList());
		try (RedisStore store = open("limiter", "wrong")) {
			assertThat(StoreRequests.acquire(store, Limits.of("acl", "5/60s"), "a"))
				.isEqualTo(StoreRequests.failed(StoreFailure.NOT_PERMITTED, Fate.NOT_TAKEN));
		}
	}

	@Test
	void aPasswordThatIsReplacedIsUsedByTheNextConnection() throws IOException {
		allow(rights().toList());
		TestConnectionDetails details = TestConnectionDetails.standalone(SERVER.address()).as("limiter", "secret");
		Limit limit = Limits.of("rotated", "100/60s");
		try (RedisStore store = SharedRedis.store(details, SETTINGS)) {
			assertThat(StoreRequests.acquire(store, limit, "a")).isInstanceOf(AcquireResult.Admitted.class);
			this.admin.aclSetUser("limiter", ">next", "<secret");
			assertThat(StoreRequests.acquire(store, limit, "a")).as("on the open connection")
				.isInstanceOf(AcquireResult.Admitted.class);
			this.admin.clientKill(new ClientKillParams().user("limiter"));
			Awaitility.await()
				.until(() -> StoreRequests.acquire(store, limit, "a"),
						StoreRequests.failed(StoreFailure.NOT_PERMITTED, Fate.NOT_TAKEN)::equals);
			TestConnectionDetails ignored = details.as("limiter", "next");
			Awaitility.await().until(() -> StoreRequests.acquire(store, limit, "a") instanceof AcquireResult.Admitted);
		}
	}

	@ParameterizedTest
	@NullAndEmptySource
	void aPasswordWithoutAUserIsThatOfTheDefaultUser(String username) {
		try (RedisServer server = RedisServer.start("--requirepass", "secret");
				RedisStore store = SharedRedis
					.store(TestConnectionDetails.standalone(server.address()).as(username, "secret"), SETTINGS)) {
			assertThat(StoreRequests.acquire(store, Limits.of("password", "5/60s"), "a"))
				.isInstanceOf(AcquireResult.Admitted.class);
			assertThat(store.describe()).doesNotContain("secret");
		}
	}

	@Test
	void anEmptyPasswordIsNone() {
		try (RedisStore store = open("", "")) {
			assertThat(StoreRequests.acquire(store, Limits.of("password", "5/60s"), "a"))
				.isInstanceOf(AcquireResult.Admitted.class);
		}
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SLIDING_WINDOW_LOG")
	void otherAlgorithmsNeedOnlyGetSetAndSetrange(Algorithm algorithm) {
		allow(List.of("~" + SharedRedis.PREFIX + ":*", "+evalsha", "+eval", "+time", "+get", "+set", "+setrange"));
		AcquireRequest request = StoreRequests.request(Limits.of(algorithm, "acl-" + algorithm.letter(), "2/400d"),
				"a");
		try (RedisStore store = open("limiter", "secret")) {
			assertThat(StoreRequests.acquire(store, request)).isInstanceOf(AcquireResult.Admitted.class);
			AcquireResult.Admitted admitted = (AcquireResult.Admitted) StoreRequests.acquire(store, request);
			assertThat(StoreRequests.acquire(store, request)).isInstanceOf(AcquireResult.Refused.class);
			assertThat(store
				.settle(List.of(Settlement.release(new AcquiredPermits(request, admitted.receipts()))), Patience.LONG)
				.await()).containsExactly(SettlementResult.ACKNOWLEDGED);
			assertThat(StoreRequests.acquire(store, request)).isInstanceOf(AcquireResult.Admitted.class);
		}
	}

	@Test
	void connectionsBearTheNameOfTheLimiter() throws IOException {
		allow(rights().toList());
		try (RedisStore store = open("limiter", "secret")) {
			StoreRequests.acquire(store, Limits.of("acl", "5/60s"), "a");
			assertThat(this.admin.clientList()).contains(" name=ratelimit ");
		}
	}

	/** The rights for a log, as docs/redis.md lists them. */
	static Stream<String> rights() throws IOException {
		return Stream.concat(LeastRightsTests.base().stream(), LeastRightsTests.rights(Feature.LOG).stream())
			.filter((right) -> !NEEDED_BY_ALL.contains(right));
	}

	private void allow(List<String> rights) {
		this.admin.aclDelUser("limiter");
		List<String> rules = new ArrayList<>(NEEDED_BY_ALL);
		rules.addAll(rights);
		this.admin.aclSetUser("limiter", rules.toArray(String[]::new));
		this.admin.aclLogReset();
		this.admin.scriptFlush();
	}

	private List<StoreFailure> useEverything() {
		try (RedisStore store = open("limiter", "secret")) {
			return useLog(store, this.admin);
		}
	}

	/** Use all that a log does, and return the failures. */
	static List<StoreFailure> useLog(RedisStore store, Jedis admin) {
		Limit limit = Limits.countingRefusals("acl", "3/60s");
		AcquireRequest first = StoreRequests.request(limit, "a");
		admin.zadd(StoreRequests.key(first), 1, "to be removed");
		List<AcquireResult> results = new ArrayList<>();
		for (long cost : new long[] { 1, 2, 1, 1 }) {
			results.add(StoreRequests.acquire(store, StoreRequests.request(limit, "a", cost)));
		}
		results.add(StoreRequests.acquire(store, first));
		List<StoreFailure> failures = new ArrayList<>(results.stream()
			.filter(AcquireResult.Failed.class::isInstance)
			.map((result) -> ((AcquireResult.Failed) result).failure())
			.toList());
		if (store.settle(List.of(Settlement.release(new AcquiredPermits(first))), Patience.LONG)
			.await()
			.get(0) != SettlementResult.ACKNOWLEDGED) {
			failures.add(StoreFailure.NOT_PERMITTED);
		}
		Inspector inspector = store.capabilities().inspector().orElseThrow();
		if (inspector.peek(limit, first.subject(), Patience.LONG) instanceof Inspection.NotAvailable failed) {
			failures.add(failed.failure());
		}
		inspector.reset(limit, new Subject("other"), Patience.LONG).ifPresent(failures::add);
		return failures;
	}

	private static RedisStore open(String username, String password) {
		return SharedRedis.store(TestConnectionDetails.standalone(SERVER.address()).as(username, password), SETTINGS);
	}

}
