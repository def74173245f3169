package dev.ratelimit.embeddedredis;

import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.RedisSentinelClient;
import redis.clients.jedis.exceptions.JedisConnectionException;

import static org.assertj.core.api.Assertions.assertThat;

class RedisSentinelsTests {

	@Test
	void sentinelsFindTheMasterAndPromoteItsReplica() {
		try (RedisServer master = RedisServer.start("--requirepass", "secret", "--masterauth", "secret");
				RedisServer replica = RedisServer.start("--replicaof", master.host() + " " + master.port(),
						"--requirepass", "secret", "--masterauth", "secret")) {
			await(replica, "master_link_status:up");
			promote(master, replica);
		}
	}

	private static void promote(RedisServer master, RedisServer replica) {
		try (RedisSentinels sentinels = RedisSentinels.start("ratelimit", master, 3)) {
			Set<HostAndPort> addresses = sentinels.addresses()
				.stream()
				.map(HostAndPort::from)
				.collect(Collectors.toSet());
			assertThat(addresses).hasSize(3);
			try (RedisSentinelClient client = RedisSentinelClient.builder()
				.masterName("ratelimit")
				.sentinels(addresses)
				.clientConfig(DefaultJedisClientConfig.builder().password("secret").build())
				.build()) {
				assertThat(client.set("key", "value")).isEqualTo("OK");
			}
			master.kill();
			await(replica, "role:master");
		}
	}

	/**
	 * Connects each time, because a Sentinel closes the connections of the server that it
	 * promotes.
	 */
	private static void await(RedisServer server, String state) {
		// A Sentinel that was not scheduled for two seconds waits for thirty.
		Await.until(Duration.ofSeconds(60), () -> replication(server).contains(state), () -> replication(server));
	}

	private static String replication(RedisServer server) {
		try (Jedis jedis = server.connect()) {
			return jedis.info("replication");
		}
		catch (JedisConnectionException ex) {
			// A Sentinel closes the connections of the server it promotes.
			return ex.toString();
		}
	}

}
