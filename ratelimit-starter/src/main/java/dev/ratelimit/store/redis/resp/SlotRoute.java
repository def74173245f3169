package dev.ratelimit.store.redis.resp;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * The masters of a Redis Cluster by hash slot. Slots that are not served have no node.
 */
final class SlotRoute implements NodeRoute {

	private static final int SLOTS = 16384;

	private final @Nullable Node[] bySlot = new @Nullable Node[SLOTS];

	private final Set<Node> masters = new LinkedHashSet<>();

	private SlotRoute() {
	}

	/**
	 * Read the reply to CLUSTER SLOTS: a list of first slot, last slot, master, replicas;
	 * a node is host, port and more. A node that does not know its own address leaves out
	 * the host, which is then the host that replied.
	 * @param reply the reply
	 * @param askedHost the host that replied
	 * @param nodes finds a node by its address
	 * @return the route
	 */
	static SlotRoute of(List<?> reply, String askedHost, Function<HostAndPort, Node> nodes) {
		SlotRoute route = new SlotRoute();
		for (Object entry : reply) {
			List<?> range = (List<?>) entry;
			List<?> master = (List<?>) range.get(2);
			byte[] host = (byte[]) master.get(0);
			HostAndPort address = new HostAndPort(isKnown(host) ? text(host) : askedHost, number(master.get(1)));
			Node node = nodes.apply(address);
			node.keepSlotsApart();
			Arrays.fill(route.bySlot, number(range.get(0)), number(range.get(1)) + 1, node);
			route.masters.add(node);
		}
		return route;
	}

	private static boolean isKnown(byte @Nullable [] host) {
		return host != null && host.length > 0 && host[0] != '?';
	}

	private static String text(byte[] value) {
		return new String(value, StandardCharsets.UTF_8);
	}

	private static int number(Object value) {
		return ((Long) value).intValue();
	}

	@Override
	public @Nullable Node nodeFor(Supplier<byte[]> key) {
		return this.bySlot[JedisClusterCRC16.getSlot(key.get())];
	}

	@Override
	public Set<Node> nodes() {
		return this.masters;
	}

}
