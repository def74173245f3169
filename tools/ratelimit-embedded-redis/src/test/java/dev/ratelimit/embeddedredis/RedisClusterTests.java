package dev.ratelimit.embeddedredis;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.HostAndPort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RedisClusterTests {

	private static RedisCluster cluster;

	@BeforeAll
	static void start() {
		cluster = RedisCluster.start(3, 1, "--cluster-node-timeout", "20000");
	}

	@AfterAll
	static void close() {
		cluster.close();
	}

	@Test
	void everyNodeSeesEverySlotServed() {
		for (RedisServer node : cluster.nodes()) {
			try (Jedis jedis = node.connect()) {
				assertThat(jedis.clusterInfo()).contains("cluster_state:ok", "cluster_slots_ok:16384",
						"cluster_known_nodes:6", "cluster_size:3");
			}
		}
	}

	@Test
	void mastersComeFirstInTheOrderOfTheirSlots() {
		for (int i = 0; i < 3; i++) {
			try (Jedis jedis = cluster.nodes().get(i).connect()) {
				String myself = jedis.clusterNodes()
					.lines()
					.filter((line) -> line.contains("myself"))
					.findFirst()
					.get();
				assertThat(myself).contains("master").endsWith(List.of("0-5460", "5461-10921", "10922-16383").get(i));
			}
		}
	}

	@Test
	void everyMasterHasItsReplicaLinked() {
		for (int i = 3; i < 6; i++) {
			try (Jedis jedis = cluster.nodes().get(i).connect()) {
				assertThat(jedis.info("replication")).contains("role:slave", "master_link_status:up",
						"master_port:" + cluster.nodes().get(i - 3).port());
			}
		}
	}

	@Test
	void aClientReachesAllMasters() {
		Set<HostAndPort> addresses = cluster.addresses().stream().map(HostAndPort::from).collect(Collectors.toSet());
		try (RedisClusterClient client = RedisClusterClient.create(addresses)) {
			for (int i = 0; i < 100; i++) {
				client.set("key" + i, "value" + i);
				assertThat(client.get("key" + i)).isEqualTo("value" + i);
			}
		}
		for (RedisServer master : cluster.nodes().subList(0, 3)) {
			try (Jedis jedis = master.connect()) {
				assertThat(jedis.dbSize()).isPositive();
			}
		}
	}

	@Test
	void aRestartedNodeRejoinsItsCluster() {
		RedisServer replica = cluster.nodes().get(5);
		replica.restart();
		try (Jedis jedis = replica.connect()) {
			assertThat(jedis.clusterNodes().lines()).hasSize(6);
			Await.until(Duration.ofSeconds(10), () -> jedis.info("replication").contains("master_link_status:up"),
					() -> jedis.info("replication"));
		}
	}

	@Test
	void aClusterNeedsAMaster() {
		assertThatIllegalArgumentException().isThrownBy(() -> RedisCluster.start(0, 1));
		assertThatIllegalArgumentException().isThrownBy(() -> RedisCluster.start(1, -1));
	}

}
