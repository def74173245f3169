package dev.ratelimit.store.redis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.FaultProxy;
import dev.ratelimit.fixture.FaultProxy.Fault;
import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.StoreFailure;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.args.ClientType;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.params.ClientKillParams;
import redis.clients.jedis.params.ClientKillParams.SkipMe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * What each failure means, provoked on a real server or a bad way to it, and that all is
 * well again when its cause is gone. docs/redis.md has the table.
 */
class ProvokedFailuresTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	/** For what does not answer at all. */
	private static final Duration SHORT = Duration.ofMillis(300);

	private static final ProtocolCommand DEBUG = () -> "DEBUG".getBytes(StandardCharsets.US_ASCII);

	private static final String ENDLESS = "while true do end";

	private final Limit limit = Limits.of("provoked", "1000/60s");

	private final List<AutoCloseable> opened = new ArrayList<>();

	@AfterEach
	void close() throws Exception {
		for (int i = this.opened.size() - 1; i >= 0; i--) {
			this.opened.get(i).close();
		}
	}

	@Test
	void refusedConnection() {
		RedisServer server = start();
		RedisStore store = open(server.address());
		server.kill();
		assertThat(failure(store)).isEqualTo(StoreFailure.UNREACHABLE);
		server.restart();
		assertHealed(store);
	}

	@Test
	void hungServer() {
		RedisServer server = start();
		RedisStore store = open(server.address());
		server.pause();
		assertThat(failure(store, SHORT)).isEqualTo(StoreFailure.TIMEOUT);
		server.resume();
		assertHealed(store);
	}

	@ParameterizedTest
	@CsvSource({ "DELAY, TIMEOUT", "DRIP, TIMEOUT", "BLACK_HOLE, TIMEOUT", "HALF_CLOSE, UNREACHABLE",
			"CUT_AFTER_REQUEST, UNREACHABLE", "CUT_IN_REPLY, UNREACHABLE", "CORRUPT, UNREACHABLE" })
	void badNetwork(Fault fault, StoreFailure failure) {
		FaultProxy proxy = proxy(start());
		RedisStore store = open(proxy.address());
		assertHealed(store);
		proxy.inject(fault);
		assertThat(failure(store, SHORT)).isEqualTo(failure);
		proxy.inject(Fault.NONE);
		assertHealed(store);
	}

	/** What was left of the reply would be that to somebody else's question. */
	@Test
	void replyThatIsTooShort() {
		FaultProxy proxy = proxy(start());
		RedisStore store = open(proxy.address());
		assertHealed(store);
		proxy.corrupt((reply) -> new String(reply, StandardCharsets.ISO_8859_1).replace("*3", "*2")
			.getBytes(StandardCharsets.ISO_8859_1));
		assertThat(failure(store, SHORT)).isEqualTo(StoreFailure.ERROR);
		proxy.inject(Fault.NONE);
		assertThat(Asking.ask(store, this.limit, "a")).isInstanceOf(Answer.Admitted.class);
		assertThat(proxy.accepted()).isEqualTo(2);
	}

	/** The queue of whom it has not accepted yet is full. */
	@Test
	void serverThatAcceptsNobody() throws IOException {
		ServerSocket deaf = opened(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
		for (int i = 0; i < 2; i++) {
			opened(new Socket(InetAddress.getLoopbackAddress(), deaf.getLocalPort()));
		}
		RedisStore store = open("127.0.0.1:" + deaf.getLocalPort());
		assertThat(failure(store, SHORT)).isIn(StoreFailure.UNREACHABLE, StoreFailure.TIMEOUT);
	}

	@Test
	void unknownName() {
		assertThat(failure(open("redis.invalid:6379"))).isEqualTo(StoreFailure.UNREACHABLE);
	}

	@ParameterizedTest
	@CsvSource({ "maxmemory, 1, 0", "min-replicas-to-write, 1, 0" })
	void oomAndNoReplicas(String parameter, String bad, String good) {
		RedisServer server = start();
		RedisStore store = open(server.address());
		Jedis redis = connect(server);
		redis.configSet(parameter, bad);
		assertThat(failure(store)).isEqualTo(StoreFailure.UNAVAILABLE);
		redis.configSet(parameter, good);
		assertHealed(store);
	}

	/** Another server has the name by now, and the old one keeps its connections. */
	@Test
	void readOnly() {
		RedisServer demoted = start();
		RedisServer promoted = start();
		FaultProxy name = proxy(demoted);
		RedisStore store = open(name.address());
		assertHealed(store);
		connect(demoted).replicaof(promoted.host(), promoted.port());
		name.redirect(promoted.port());
		assertThat(failure(store)).isEqualTo(StoreFailure.UNAVAILABLE);
		assertHealed(store);
		assertThat(name.accepted()).isEqualTo(2);
	}

	@Test
	void masterDown() {
		RedisServer master = start();
		RedisServer replica = start("--replicaof", master.host(), Integer.toString(master.port()),
				"--replica-serve-stale-data", "no");
		RedisStore store = open(replica.address());
		Awaitility.await()
			.atMost(PATIENCE)
			.until(() -> SharedRedis.info(replica, "replication").contains("master_link_status:up"));
		master.kill();
		Awaitility.await()
			.atMost(PATIENCE)
			.until(() -> SharedRedis.info(replica, "replication").contains("master_link_status:down"));
		assertThat(failure(store)).isEqualTo(StoreFailure.UNAVAILABLE);
		connect(replica).replicaofNoOne();
		assertHealed(store);
	}

	@Test
	void misconf() throws IOException {
		RedisServer server = start("--save", "3600 1000");
		RedisStore store = open(server.address());
		Jedis redis = connect(server);
		Path snapshot = Path.of(redis.configGet("dir").get("dir"), "dump.rdb");
		Files.createDirectory(snapshot);
		redis.bgsave();
		Awaitility.await()
			.atMost(PATIENCE)
			.until(() -> SharedRedis.info(server, "persistence").contains("rdb_last_bgsave_status:err"));
		assertThat(failure(store)).isEqualTo(StoreFailure.UNAVAILABLE);
		Files.delete(snapshot);
		redis.configSet("stop-writes-on-bgsave-error", "no");
		assertHealed(store);
	}

	@Test
	void loading() {
		RedisServer server = start("--enable-debug-command", "yes", "--loading-process-events-interval-bytes", "1024");
		RedisStore store = open(server.address());
		Jedis redis = connect(server);
		redis.sendCommand(DEBUG, "POPULATE", "500", "key", "200");
		redis.configSet("key-load-delay", "2000");
		Connection reloading = opened(new Connection(server.host(), server.port()));
		reloading.sendCommand(new CommandArguments(DEBUG).add("RELOAD"));
		reloading.getMany(0);
		Awaitility.await().atMost(PATIENCE).until(() -> failure(store) == StoreFailure.UNAVAILABLE);
		assertHealed(store);
	}

	@Test
	void busy() {
		RedisServer server = start("--lua-time-limit", "1");
		RedisStore store = open(server.address());
		runForEver(server, ENDLESS);
		assertThat(failure(store)).isEqualTo(StoreFailure.UNAVAILABLE);
		connect(server).scriptKill();
		assertHealed(store);
	}

	@Test
	void clusterDown() {
		RedisServer server = start("--cluster-enabled", "yes");
		RedisStore store = open(server.address());
		assertThat(failure(store)).isEqualTo(StoreFailure.UNAVAILABLE);
		connect(server).sendCommand(Command.CLUSTER, "ADDSLOTSRANGE", "0", "16383");
		assertHealed(store);
	}

	/** The limiter itself never uses two keys at once, and never kills a script. */
	@Test
	void tryAgainAndUnkillable() {
		RedisServer node = start("--cluster-enabled", "yes");
		Jedis redis = connect(node);
		redis.sendCommand(Command.CLUSTER, "ADDSLOTSRANGE", "0", "16383");
		Awaitility.await().atMost(PATIENCE).until(() -> redis.clusterInfo().contains("cluster_state:ok"));
		redis.set("{a}1", "value");
		redis.sendCommand(Command.CLUSTER, "MEET", "127.0.0.1",
				Integer.toString(start("--cluster-enabled", "yes").port()));
		Awaitility.await()
			.atMost(PATIENCE)
			.until(() -> redis.clusterNodes().lines().count() == 2 && !redis.clusterNodes().contains("handshake"));
		String other = redis.clusterNodes()
			.lines()
			.filter((line) -> !line.contains("myself"))
			.map((line) -> line.substring(0, line.indexOf(' ')))
			.findFirst()
			.orElseThrow();
		redis.clusterSetSlotMigrating((int) redis.clusterKeySlot("{a}1"), other);
		assertThat(StoreFailures.classify(error(() -> redis.mget("{a}1", "{a}2")))).isEqualTo(StoreFailure.UNAVAILABLE);

		RedisServer server = start("--lua-time-limit", "1");
		Jedis killer = connect(server);
		runForEver(server, "redis.call('SET', KEYS[1], '1') " + ENDLESS);
		assertThat(StoreFailures.classify(error(killer::scriptKill))).isEqualTo(StoreFailure.UNAVAILABLE);
	}

	private static JedisDataException error(Runnable command) {
		JedisDataException error = catchThrowableOfType(JedisDataException.class, command::run);
		assertThat(error.getMessage()).matches("(TRYAGAIN|UNKILLABLE) .*");
		return error;
	}

	@Test
	void noAuthentication() {
		RedisServer server = start();
		RedisStore store = open(server.address());
		assertHealed(store);
		Jedis redis = connect(server);
		redis.configSet("requirepass", "secret");
		redis.auth("secret");
		redis.clientKill(new ClientKillParams().type(ClientType.NORMAL).skipMe(SkipMe.YES));
		assertThat(failure(store)).as("the connection was killed").isEqualTo(StoreFailure.UNREACHABLE);
		assertThat(failure(store)).isEqualTo(StoreFailure.NOT_PERMITTED);
		redis.configSet("requirepass", "");
		assertHealed(store);
	}

	@Test
	void wrongPassword() {
		RedisServer server = start("--requirepass", "secret");
		RedisStore store = open(TestConnectionDetails.standalone(server.address()).as(null, "wrong"));
		assertThat(failure(store)).isEqualTo(StoreFailure.NOT_PERMITTED);
		Jedis redis = connect(server);
		redis.auth("secret");
		redis.configSet("requirepass", "wrong");
		assertHealed(store);
	}

	@ParameterizedTest
	@CsvSource({ "-evalsha, +evalsha", "-time, +time", "resetkeys, ~*" })
	void noPermission(String denied, String granted) {
		RedisServer server = start();
		Jedis redis = connect(server);
		redis.aclSetUser("limiter", "on", ">secret", "~*", "+@all", denied);
		RedisStore store = open(TestConnectionDetails.standalone(server.address()).as("limiter", "secret"));
		assertThat(failure(store)).isEqualTo(StoreFailure.NOT_PERMITTED);
		redis.aclSetUser("limiter", granted);
		assertHealed(store);
	}

	@Test
	void tooManyClients() {
		RedisServer server = start();
		RedisStore store = open(server.address());
		server.restart();
		Jedis redis = connect(server);
		redis.configSet("maxclients", "1");
		assertThat(failure(store)).isEqualTo(StoreFailure.UNREACHABLE);
		redis.configSet("maxclients", "100");
		assertHealed(store);
	}

	@Test
	void unknownScriptGoesUnnoticed() {
		RedisServer server = start();
		RedisStore store = open(server.address());
		assertHealed(store);
		connect(server).scriptFlush();
		assertThat(Asking.ask(store, this.limit, "a")).isInstanceOf(Answer.Admitted.class);
	}

	private <T extends AutoCloseable> T opened(T closeable) {
		this.opened.add(closeable);
		return closeable;
	}

	private RedisServer start(String... options) {
		return opened(RedisServer.start(options));
	}

	private FaultProxy proxy(RedisServer server) {
		return opened(FaultProxy.to(server.port()));
	}

	private Jedis connect(RedisServer server) {
		return opened(SharedRedis.connect(server));
	}

	private RedisStore open(String address) {
		return open(TestConnectionDetails.standalone(address));
	}

	private RedisStore open(TestConnectionDetails details) {
		return opened(SharedRedis.store(details, SharedRedis.settings(2)));
	}

	private void runForEver(RedisServer server, String script) {
		Connection endless = opened(new Connection(new HostAndPort(server.host(), server.port())));
		endless.sendCommand(new CommandArguments(Command.EVAL).add(script).add("1").add("key"));
		endless.getMany(0);
		Jedis redis = connect(server);
		Awaitility.await()
			.atMost(PATIENCE)
			.until(() -> catchThrowableOfType(JedisDataException.class, redis::ping) != null);
	}

	private StoreFailure failure(RedisStore store) {
		return failure(store, Duration.ofSeconds(5));
	}

	private StoreFailure failure(RedisStore store, Duration maxWait) {
		Answer answer = Asking.ask(store, Asking.question(this.limit, "a"), maxWait);
		assertThat(answer).isInstanceOf(Answer.Failed.class);
		return ((Answer.Failed) answer).failure();
	}

	private void assertHealed(RedisStore store) {
		Awaitility.await().atMost(PATIENCE).until(() -> Asking.isAdmitted(Asking.ask(store, this.limit, "a")));
	}

}
