package dev.ratelimit.store.redis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.OnLimit;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Inspection;
import dev.ratelimit.store.InstanceRegistry;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SettlementResult;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.WaitRange;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.resps.AccessControlLogEntry;
import redis.clients.jedis.util.JedisClusterCRC16;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rights that docs/redis.md names suffice for each feature, and each of them is
 * needed: Redis logs what a user was not allowed.
 */
class LeastRightsTests {

	private static final RedisServer SERVER = RedisServer.start();

	private static final String COMMAND = "ACL SETUSER limiter ";

	private static final String PREFIX = "~" + SharedRedis.PREFIX + ":*";

	private static final WaitRange PATIENT = new WaitRange(0, Duration.ofMinutes(5).toNanos() / 1000);

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

	/** What all features need, with the key prefix of the tests. */
	static List<String> base() throws IOException {
		String command = page().stream().filter((line) -> line.startsWith(COMMAND)).findFirst().orElseThrow();
		return Arrays.stream(command.substring(COMMAND.length()).split(" "))
			.map((right) -> right.startsWith("~") ? PREFIX : right)
			.toList();
	}

	/** What the row of a feature adds. */
	static List<String> rights(Feature feature) throws IOException {
		return rows().entrySet()
			.stream()
			.filter((row) -> row.getKey().startsWith(feature.row))
			.findFirst()
			.orElseThrow()
			.getValue();
	}

	private static Map<String, List<String>> rows() throws IOException {
		List<String> lines = page();
		Map<String, List<String>> rows = new LinkedHashMap<>();
		lines.subList(lines.indexOf("| in use | rights |") + 2, lines.size())
			.stream()
			.takeWhile((line) -> line.startsWith("| "))
			.map((line) -> line.split("(?<!\\\\)\\|"))
			.forEach((cells) -> rows.put(cells[1].strip(),
					List.of(cells[2].strip().replace("`", "").replace("\\|", "|").split(" "))));
		return rows;
	}

	private static List<String> page() throws IOException {
		return Files.readAllLines(Path.of("../docs/redis.md"));
	}

	static Stream<Arguments> features() throws IOException {
		List<Arguments> all = new ArrayList<>();
		for (String right : base()) {
			if (!right.equals("on") && !right.startsWith(">")) {
				all.add(Arguments.of(Feature.LOG, right));
			}
		}
		for (Feature feature : Feature.values()) {
			for (String right : rights(feature)) {
				all.add(Arguments.of(feature, right));
			}
		}
		return all.stream();
	}

	private void allow(Jedis on, Feature feature, Optional<String> missing) throws IOException {
		on.aclDelUser("limiter");
		List<String> rights = new ArrayList<>(base());
		rights.addAll(rights(feature));
		if (feature == Feature.DATABASE || feature == Feature.CLUSTER) {
			rights.addAll(rights(Feature.OTHERS));
		}
		missing.ifPresent(rights::remove);
		on.aclSetUser("limiter", rights.toArray(String[]::new));
		on.aclLogReset();
		on.scriptFlush();
	}

	private List<Jedis> servers(Feature feature) {
		return (feature != Feature.CLUSTER) ? List.of(this.admin)
				: SharedRedis.cluster().nodes().stream().map(SharedRedis::connect).toList();
	}

	/** What Redis did not allow while all of a feature is used. */
	private List<String> denied(Feature feature, Optional<String> missing) throws IOException {
		List<Jedis> servers = servers(feature);
		for (Jedis server : servers) {
			allow(server, feature, missing);
		}
		try (RedisStore store = SharedRedis.store(details(feature).as("limiter", "secret"), SharedRedis.settings(2))) {
			boolean worked = use(feature, store);
			List<String> denied = servers.stream()
				.flatMap((server) -> server.aclLog().stream())
				.filter((entry) -> entry.getUsername().equals("limiter"))
				.map(AccessControlLogEntry::getObject)
				.toList();
			assertThat(worked || !denied.isEmpty()).as("works, or is denied something").isTrue();
			return denied;
		}
	}

	private static TestConnectionDetails details(Feature feature) {
		return switch (feature) {
			case CLUSTER -> TestConnectionDetails.cluster(SharedRedis.cluster().addresses());
			case DATABASE -> TestConnectionDetails.standalone(SERVER.address(), 3);
			default -> TestConnectionDetails.standalone(SERVER.address());
		};
	}

	@ParameterizedTest
	@EnumSource
	void theRightsOfAFeatureSuffice(Feature feature) throws IOException {
		assertThat(denied(feature, Optional.empty())).isEmpty();
	}

	@ParameterizedTest(name = "{0} without {1}")
	@MethodSource("features")
	void everyRightIsNeeded(Feature feature, String right) throws IOException {
		assertThat(denied(feature, Optional.of(right))).isNotEmpty();
	}

	/** The tests of the queue try its row. */
	@Test
	void eachRowIsTried() throws IOException {
		assertThat(rows().keySet()).filteredOn((row) -> !row.startsWith("`enqueue`")).hasSameSizeAs(Feature.values());
	}

	/** The features, by the start of their rows. */
	enum Feature {

		LOG("`sliding-window-log`"), OTHERS("any other algorithm"), INSTANCES("[instances]"), RESET("[reset]"),
		EVICTION("the [warning]"), DATABASE("a `database`"), CLUSTER("a Cluster");

		private final String row;

		Feature(String row) {
			this.row = row;
		}

	}

	/** Use a feature, and return whether it did what it is there for. */
	private boolean use(Feature feature, RedisStore store) {
		return switch (feature) {
			case LOG -> useLog(store, this.admin);
			case OTHERS -> useOthers(store);
			case INSTANCES -> useInstances(store, this.admin);
			case RESET -> reset(store);
			case EVICTION -> warns(store, this.admin);
			case DATABASE -> useOther(store, Algorithm.FIXED_WINDOW);
			case CLUSTER -> useCluster(store);
		};
	}

	private static boolean useLog(RedisStore store, Jedis admin) {
		AcquireRequest ahead = new AcquireRequest(Limits.of("acl-ahead", "9/60s"), new Subject("a"), 1,
				request("x").permit(), 4);
		return AccessTests.useLog(store, admin).isEmpty()
				&& StoreRequests.acquire(store, ahead) instanceof AcquireResult.Reserved
				&& givesTurns(store, Algorithm.SLIDING_WINDOW_LOG);
	}

	private static AcquireRequest request(String subject) {
		return StoreRequests.request(Limits.of("acl", "5/60s"), subject);
	}

	private static boolean givesTurns(RedisStore store, Algorithm algorithm) {
		Limit limit = Limits.of(RLConfig.builder("acl-turn-" + algorithm.letter())
			.algorithm(algorithm)
			.onLimit(OnLimit.DELAY)
			.thresholds("2/1m"));
		AcquireRequest plain = request("a");
		AcquireRequest turn = new AcquireRequest(limit, plain.subject(), 1, plain.permit(), 1, Optional.of(PATIENT));
		return StoreRequests.acquire(store, turn) instanceof AcquireResult.Turn granted
				&& acknowledges(store, new AcquiredPermits(turn, granted.receipts()));
	}

	private static boolean acknowledges(RedisStore store, AcquiredPermits taken) {
		return store.settle(List.of(Settlement.release(taken)), Patience.LONG)
			.await()
			.get(0) == SettlementResult.ACKNOWLEDGED;
	}

	private static boolean useOthers(RedisStore store) {
		return Stream.of(Algorithm.values())
			.filter((algorithm) -> algorithm != Algorithm.SLIDING_WINDOW_LOG)
			.allMatch((algorithm) -> useOther(store, algorithm));
	}

	private static boolean useOther(RedisStore store, Algorithm algorithm) {
		Limit limit = Limits.of(algorithm, "acl-" + algorithm.letter(), "2/400d");
		AcquireRequest request = StoreRequests.request(limit, "a");
		return StoreRequests.acquire(store, request) instanceof AcquireResult.Admitted
				&& StoreRequests.acquire(store, request) instanceof AcquireResult.Admitted admitted
				&& StoreRequests.acquire(store, request) instanceof AcquireResult.Refused
				&& !(store.capabilities()
					.inspector()
					.orElseThrow()
					.peek(limit, request.subject(), Patience.LONG) instanceof Inspection.NotAvailable)
				&& (!Mode.ModeKind.SYNCED.algorithms().contains(algorithm) || counts(store, request, admitted))
				&& acknowledges(store, new AcquiredPermits(request, admitted.receipts()))
				&& (!OnLimit.DELAY.algorithms().contains(algorithm) || givesTurns(store, algorithm));
	}

	private static boolean counts(RedisStore store, AcquireRequest request, AcquireResult.Admitted admitted) {
		AcquiredPermits taken = new AcquiredPermits(request, admitted.receipts());
		return store.capabilities()
			.counter()
			.orElseThrow()
			.count(List.of(taken), Patience.LONG)
			.get(0) instanceof AcquireResult.Admitted;
	}

	private static boolean useInstances(RedisStore store, Jedis admin) {
		InstanceRegistry instances = store.capabilities().instances().orElseThrow();
		boolean beat = instances.beat("a", Duration.ofSeconds(3)).isPresent();
		instances.leave("a");
		return beat && admin.keys("*").isEmpty();
	}

	private static boolean reset(RedisStore store) {
		Limit limit = Limits.of("acl", "5/60s");
		return store.capabilities().inspector().orElseThrow().reset(limit, new Subject("a"), Patience.LONG).isEmpty();
	}

	private static boolean warns(RedisStore store, Jedis admin) {
		admin.configSet("maxmemory", "100mb");
		admin.configSet("maxmemory-policy", "allkeys-lru");
		try {
			return !store.capabilities().diagnostics().concerns().get().orElseThrow().isEmpty();
		}
		finally {
			admin.configSet("maxmemory-policy", "noeviction");
			admin.configSet("maxmemory", "0");
		}
	}

	/** A slot on the move leads to ASK for keys that are not there yet. */
	private static boolean useCluster(RedisStore store) {
		AcquireRequest request = StoreRequests.request(Limits.of(Algorithm.FIXED_WINDOW, "acl-cluster", "5/60s"), "a");
		int slot = JedisClusterCRC16.getSlot(StoreRequests.key(request));
		Map<Boolean, List<RedisServer>> owns = SharedRedis.cluster()
			.nodes()
			.stream()
			.collect(Collectors.partitioningBy((node) -> ClusterTests.owns(node, slot)));
		try (Jedis from = SharedRedis.connect(owns.get(true).get(0));
				Jedis to = SharedRedis.connect(owns.get(false).get(0))) {
			to.clusterSetSlotImporting(slot, from.clusterMyId());
			from.clusterSetSlotMigrating(slot, to.clusterMyId());
			AcquireResult result = StoreRequests.acquire(store, request);
			from.clusterSetSlotStable(slot);
			to.flushAll();
			to.clusterSetSlotStable(slot);
			return result instanceof AcquireResult.Admitted;
		}
	}

}
