package dev.ratelimit.proof;

import java.util.List;

import dev.ratelimit.embeddedredis.RedisServer;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.MigrateParams;

/**
 * Moves slots from one master of a cluster to another, as {@code redis-cli --cluster
 * reshard} does: key by key, while all clients go on.
 */
final class SlotMover {

	private static final int KEYS_AT_ONCE = 100;

	private static final int TIMEOUT_MILLIS = 5000;

	private SlotMover() {
	}

	/**
	 * Move slots.
	 * @param from the master that has them
	 * @param to the master that receives them
	 * @param first the first of them
	 * @param count how many
	 */
	static void move(RedisServer from, RedisServer to, int first, int count) {
		try (Jedis source = new Jedis(from.host(), from.port()); Jedis target = new Jedis(to.host(), to.port())) {
			String sourceId = source.clusterMyId();
			String targetId = target.clusterMyId();
			for (int slot = first; slot < first + count; slot++) {
				target.clusterSetSlotImporting(slot, sourceId);
				source.clusterSetSlotMigrating(slot, targetId);
				for (List<String> keys = keys(source, slot); !keys.isEmpty(); keys = keys(source, slot)) {
					source.migrate(to.host(), to.port(), TIMEOUT_MILLIS, new MigrateParams(),
							keys.toArray(String[]::new));
				}
				target.clusterSetSlotNode(slot, targetId);
				source.clusterSetSlotNode(slot, targetId);
			}
		}
	}

	private static List<String> keys(Jedis source, int slot) {
		return source.clusterGetKeysInSlot(slot, KEYS_AT_ONCE);
	}

}
