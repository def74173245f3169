package dev.ratelimit.store.redis.resp;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.FaultProxy;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.redis.RedisStore;
import dev.ratelimit.store.redis.SharedRedis;
import dev.ratelimit.store.redis.TestConnectionDetails;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
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
 * What each error that Redis replies with means, provoked on a real server, and that the
 * store recovers when its cause is gone. docs/redis.md has the table.
 */
class ProvokedErrorsTests extends Provocation {

	private static final ProtocolCommand DEBUG = () -> "DEBUG".getBytes(StandardCharsets.US_ASCII);

	private static final String ENDLESS = "while true do end";

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
		assertThat(RespErrors.reply(error(() -> redis.mget("{a}1", "{a}2"))).failure())
			.isEqualTo(StoreFailure.UNAVAILABLE);

		RedisServer server = start("--lua-time-limit", "1");
		Jedis killer = connect(server);
		runForEver(server, "redis.call('SET', KEYS[1], '1') " + ENDLESS);
		assertThat(RespErrors.reply(error(killer::scriptKill)).failure()).isEqualTo(StoreFailure.UNAVAILABLE);
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

	@Test
	void databaseThatIsRefused() {
		RedisServer cluster = start("--cluster-enabled", "yes");
		assertRefused(TestConnectionDetails.standalone(cluster.address(), 1),
				"ERR SELECT is not allowed in cluster mode (spring.data.redis.database is 1)");
		assertRefused(TestConnectionDetails.standalone(SharedRedis.standalone().address(), 99),
				"ERR DB index is out of range (spring.data.redis.database is 99)");
	}

	@Test
	void serverThatIsSetUpInAnotherWay() {
		RedisServer server = SharedRedis.standalone();
		assertRefused(TestConnectionDetails.standalone(server.address()).as(null, "secret"),
				"ERR AUTH <password> called without any password configured");
		assertRefused(TestConnectionDetails.cluster(List.of(server.address())),
				"ERR This instance has cluster support disabled");
	}

	@Test
	void unknownCommand() {
		assertRefused(
				TestConnectionDetails
					.standalone(start("--rename-command", "EVALSHA", "", "--rename-command", "EVAL", "").address()),
				"this server runs no scripts: it does not know EVALSHA");
		assertRefused(TestConnectionDetails.standalone(start("--rename-command", "EVAL", "").address()),
				"this server runs no scripts: it does not know EVAL");
		assertRefused(TestConnectionDetails.standalone(start("--rename-command", "ZADD", "").address()),
				"ERR Unknown Redis command called from script");
	}

	private void assertRefused(TestConnectionDetails details, String reason) {
		RedisStore store = open(details);
		assertThat(failure(store)).isEqualTo(StoreFailure.NOT_PERMITTED);
		assertThat(store.capabilities().diagnostics().lastFailure().get()).get().asString().contains(": " + reason);
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

}
