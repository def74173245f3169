package dev.ratelimit.sample.playground;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.embeddedredis.RedisCluster;
import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.sample.playground.StoredKey.Content;
import dev.ratelimit.sample.playground.StoredKey.Entry;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisMovedDataException;
import redis.clients.jedis.util.JedisClusterCRC16;

import org.springframework.stereotype.Component;

/**
 * Reads keys of the embedded cluster on its own connections, and reports their owners.
 */
@Component
@ConditionalOnEmbeddedRedis
class StoredKeys {

	private static final int TIMEOUT_MILLIS = 1000;

	private final RedisCluster cluster;

	StoredKeys(RedisCluster cluster) {
		this.cluster = cluster;
	}

	/** The owner is read from any live node, so it is known even if the owner is dead. */
	StoredKey read(String key) {
		String owner = this.cluster.nodes()
			.stream()
			.filter(RedisServer::isAlive)
			.flatMap((node) -> owner(node, key).stream())
			.findFirst()
			.orElse("unknown");
		Optional<Content> content = this.cluster.nodes()
			.stream()
			.filter((node) -> node.isAlive() && node.address().equals(owner))
			.findFirst()
			.flatMap((node) -> content(node, key));
		return new StoredKey(key, owner, JedisClusterCRC16.getSlot(key), content);
	}

	private static Optional<String> owner(RedisServer node, String key) {
		try (Jedis jedis = connect(node)) {
			jedis.type(key);
			return Optional.of(node.address());
		}
		catch (JedisMovedDataException ex) {
			return Optional.of(ex.getTargetNode().toString());
		}
		catch (JedisException ex) {
			return Optional.empty();
		}
	}

	/** Empty while the node starts, because it does not serve its slots yet. */
	private static Optional<Content> content(RedisServer node, String key) {
		try (Jedis jedis = connect(node)) {
			String type = jedis.type(key);
			long expires = jedis.pttl(key);
			List<Entry> entries = type.equals("zset") ? entries(jedis, key) : List.of();
			Optional<String> text = type.equals("string") ? text(jedis, key) : Optional.empty();
			return Optional
				.of(new Content(type, (expires >= 0) ? Optional.of(expires) : Optional.empty(), entries, text));
		}
		catch (JedisException ex) {
			return Optional.empty();
		}
	}

	/**
	 * Redis values may hold packed numbers, so bytes that are not text are shown in
	 * hexadecimal.
	 */
	private static Optional<String> text(Jedis jedis, String key) {
		return Optional.ofNullable(jedis.get(key.getBytes(StandardCharsets.UTF_8)))
			.map((bytes) -> new String(bytes, StandardCharsets.ISO_8859_1))
			.map((text) -> text.chars().allMatch((c) -> c >= ' ' && c <= '~') ? text
					: HexFormat.ofDelimiter(" ").formatHex(text.getBytes(StandardCharsets.ISO_8859_1)));
	}

	private static List<Entry> entries(Jedis jedis, String key) {
		return jedis.zrangeWithScores(key, 0, -1)
			.stream()
			.map((entry) -> new Entry(entry.getElement(), (long) entry.getScore()))
			.toList();
	}

	private static Jedis connect(RedisServer node) {
		return new Jedis(node.host(), node.port(), TIMEOUT_MILLIS);
	}

}
