package dev.ratelimit.embeddedredis;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import redis.clients.jedis.Jedis;

/**
 * Forms a cluster of empty nodes, as {@code redis-cli --cluster create} does, and waits
 * until all nodes agree.
 */
final class ClusterFormation implements AutoCloseable {

	private static final int SLOTS = 16384;

	private static final Duration TIMEOUT = Duration.ofSeconds(20);

	private final List<RedisServer> servers;

	private final List<Jedis> nodes;

	private final int masters;

	/**
	 * Connect to the nodes.
	 * @param servers empty cluster nodes, the future masters first
	 * @param masters the number of masters
	 */
	ClusterFormation(List<RedisServer> servers, int masters) {
		this.servers = servers;
		this.nodes = servers.stream().map(RedisServer::connect).toList();
		this.masters = masters;
	}

	void form() {
		assignSlots();
		meet();
		await("see each other", ClusterFormation::sees);
		replicate();
		await("are one healthy cluster", this::isHealthy);
	}

	private void assignSlots() {
		for (int i = 0; i < this.nodes.size(); i++) {
			// Different from the start, so that no node needs to resolve a conflict.
			this.nodes.get(i).clusterSetConfigEpoch(i + 1L);
		}
		for (int i = 0; i < this.masters; i++) {
			int from = SLOTS * i / this.masters;
			int to = SLOTS * (i + 1) / this.masters;
			this.nodes.get(i).clusterAddSlots(IntStream.range(from, to).toArray());
		}
	}

	private void meet() {
		for (int i = 0; i < this.nodes.size(); i++) {
			for (RedisServer other : this.servers.subList(i + 1, this.servers.size())) {
				this.nodes.get(i).clusterMeet(other.host(), other.port());
			}
		}
	}

	private void replicate() {
		for (int i = this.masters; i < this.nodes.size(); i++) {
			this.nodes.get(i).clusterReplicate(this.nodes.get(i % this.masters).clusterMyId());
		}
	}

	private void await(String what, NodeCondition condition) {
		Await.until(TIMEOUT, () -> this.nodes.stream().allMatch((node) -> condition.holds(node, this.servers.size())),
				() -> "The Redis nodes do not " + what + "\n" + report());
	}

	/**
	 * A line of CLUSTER NODES has: id, address, flags, master, ping, pong, epoch, link.
	 */
	private static boolean sees(Jedis node, int size) {
		List<String> seen = node.clusterNodes().lines().toList();
		return seen.size() == size
				&& seen.stream().map((line) -> line.split(" ")).allMatch((fields) -> isLinked(fields[2], fields[7]));
	}

	private static boolean isLinked(String flags, String link) {
		return "connected".equals(link) && !flags.contains("handshake") && !flags.contains("fail");
	}

	private boolean isHealthy(Jedis node, int size) {
		String info = node.clusterInfo();
		long replicas = node.clusterNodes().lines().filter((line) -> line.contains("slave")).count();
		return info.contains("cluster_state:ok") && info.contains("cluster_slots_ok:" + SLOTS)
				&& replicas == size - this.masters && sees(node, size)
				&& !node.info("replication").contains("master_link_status:down");
	}

	private String report() {
		return IntStream.range(0, this.nodes.size())
			.mapToObj((i) -> this.servers.get(i).address() + "\n" + this.nodes.get(i).clusterNodes()
					+ this.servers.get(i).logTail())
			.collect(Collectors.joining("\n\n"));
	}

	@Override
	public void close() {
		this.nodes.forEach(Jedis::close);
	}

	private interface NodeCondition {

		boolean holds(Jedis node, int size);

	}

}
