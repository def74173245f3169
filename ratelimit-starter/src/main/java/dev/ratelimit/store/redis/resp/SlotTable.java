package dev.ratelimit.store.redis.resp;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.ratelimit.store.wire.Node;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * Which node serves a key, at one instant: the one node there is, or the masters of a
 * Redis Cluster by hash slot. Slots that are not served have no node. Tested by
 * {@code TopologyTests}.
 */
final class SlotTable {

	/** The table while no node is known. */
	static final SlotTable NONE = new SlotTable(Set.of(), new @Nullable Node[1]);

	private static final int SLOTS = 16384;

	private final Set<Node> nodes;

	/** One entry per slot, or one for all. */
	private final @Nullable Node[] bySlot;

	private SlotTable(Set<Node> nodes, @Nullable Node[] bySlot) {
		this.nodes = nodes;
		this.bySlot = bySlot;
	}

	/**
	 * A table with all keys on one node.
	 * @param node the node
	 * @return the table
	 */
	static SlotTable of(Node node) {
		return new SlotTable(Set.of(node), new @Nullable Node[] { node });
	}

	/**
	 * Read the reply to CLUSTER SLOTS: a list of first slot, last slot, master, replicas;
	 * a node is host, port and more. A node that does not know its own address leaves out
	 * the host, which is then the host that replied.
	 * @param reply the reply
	 * @param askedHost the host that replied
	 * @param nodes finds a node by its address
	 * @return the table
	 */
	static SlotTable of(List<?> reply, String askedHost, Function<HostAndPort, Node> nodes) {
		SlotTable table = new SlotTable(new LinkedHashSet<>(), new @Nullable Node[SLOTS]);
		for (Object entry : reply) {
			List<?> range = (List<?>) entry;
			List<?> master = (List<?>) range.get(2);
			byte @Nullable [] host = (byte @Nullable []) master.get(0);
			Node node = nodes
				.apply(new HostAndPort(hostOr((host != null) ? text(host) : "", askedHost), number(master.get(1))));
			node.keepKeysApart();
			Arrays.fill(table.bySlot, number(range.get(0)), number(range.get(1)) + 1, node);
			table.nodes.add(node);
		}
		return table;
	}

	/**
	 * The host of a node, as another node has named it.
	 * @param host the name; empty or a question mark if that node does not know it
	 * @param askedHost the host of the node that named it, which is then the same
	 * @return the host
	 */
	static String hostOr(String host, String askedHost) {
		return (host.isEmpty() || host.charAt(0) == '?') ? askedHost : host;
	}

	private static String text(byte[] value) {
		return new String(value, StandardCharsets.UTF_8);
	}

	private static int number(Object value) {
		return ((Long) value).intValue();
	}

	/** The node that serves a key; {@code null} if none is known. */
	@Nullable Node nodeFor(Supplier<byte[]> key) {
		return this.bySlot[(this.bySlot.length == 1) ? 0 : JedisClusterCRC16.getSlot(key.get())];
	}

	/** All nodes that serve keys. */
	Set<Node> nodes() {
		return this.nodes;
	}

}
