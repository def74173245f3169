package dev.ratelimit.store.redis.resp;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.ratelimit.store.wire.CallRunner;
import dev.ratelimit.store.wire.Nodes;
import dev.ratelimit.store.wire.RoutedCallRunner;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.DefaultRedisCredentials;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisCredentials;

import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.util.StringUtils;

/**
 * Opens the topology that Boot's connection details describe, and configures its
 * connections.
 */
public final class RedisConnections {

	private static final Log logger = LogFactory.getLog(Topology.CATEGORY);

	private final DataRedisConnectionDetails details;

	private final RedisStoreSettings settings;

	private final boolean sharing;

	public RedisConnections(DataRedisConnectionDetails details, RedisStoreSettings settings) {
		this(details, settings, true);
	}

	RedisConnections(DataRedisConnectionDetails details, RedisStoreSettings settings, boolean sharing) {
		this.details = details;
		this.settings = settings;
		this.sharing = sharing;
	}

	/**
	 * Open the connections. Redis may be absent.
	 * @return a runner of calls on that Redis
	 * @throws IllegalStateException if the details describe a setup that a limiter cannot
	 * count on
	 */
	public CallRunner open() {
		DataRedisConnectionDetails.Sentinel sentinel = this.details.getSentinel();
		if (sentinel != null) {
			return sentinel(sentinel);
		}
		DataRedisConnectionDetails.Cluster cluster = this.details.getCluster();
		if (cluster != null) {
			return cluster(cluster);
		}
		if (this.details.getMasterReplica() != null) {
			throw new IllegalStateException("The limiter cannot count on a static master/replica setup "
					+ "(spring.data.redis.masterreplica): it would not know a new master after a failover. "
					+ "Configure Sentinel, Cluster or the one Redis to count on");
		}
		DataRedisConnectionDetails.Standalone standalone = this.details.getStandalone();
		if (standalone == null) {
			throw new IllegalStateException("The Redis connection details name no Redis");
		}
		return standalone(standalone);
	}

	private CallRunner standalone(DataRedisConnectionDetails.Standalone standalone) {
		HostAndPort address = new HostAndPort(standalone.getHost(), standalone.getPort());
		String name = "Redis at " + address;
		Nodes nodes = nodes(nodeConfig(standalone.getDatabase()));
		return runner(name, Topology.of(name, nodes, nodes.at(address.toString()), this.settings.connectTimeout()));
	}

	private CallRunner sentinel(DataRedisConnectionDetails.Sentinel sentinel) {
		List<HostAndPort> sentinels = addresses(sentinel.getNodes());
		String name = "Redis " + sentinel.getMaster() + " of the Sentinels at " + joined(sentinels);
		Nodes nodes = nodes(nodeConfig(sentinel.getDatabase()));
		JedisClientConfig config = clientConfig(0, () -> credentials(sentinel.getUsername(), sentinel.getPassword()));
		return discovered(name, nodes, Discovery.ofSentinels(nodes, sentinels, config, sentinel.getMaster()));
	}

	private CallRunner cluster(DataRedisConnectionDetails.Cluster cluster) {
		List<HostAndPort> seeds = addresses(cluster.getNodes());
		JedisClientConfig config = nodeConfig(0);
		Nodes nodes = nodes(config);
		return discovered("Redis Cluster at " + joined(seeds), nodes, Discovery.ofCluster(nodes, seeds, config));
	}

	private CallRunner discovered(String name, Nodes nodes, Discovery discovery) {
		return runner(name, Topology.discovered(name, nodes, discovery::discover, this.settings.connectTimeout()));
	}

	private CallRunner runner(String name, Topology topology) {
		return new RoutedCallRunner(name, topology, this.sharing, logger);
	}

	private static List<HostAndPort> addresses(List<DataRedisConnectionDetails.Node> nodes) {
		return nodes.stream().map((node) -> new HostAndPort(node.host(), node.port())).toList();
	}

	private static String joined(List<HostAndPort> addresses) {
		return addresses.stream().map(HostAndPort::toString).collect(Collectors.joining(","));
	}

	private Nodes nodes(JedisClientConfig config) {
		return nodes(config, this.settings.maxConnections(), this.settings.maxWaiting());
	}

	static Nodes nodes(JedisClientConfig config, int maxConnections, int maxWaiting) {
		return new Nodes("redis", (address) -> RespCodec.connect(HostAndPort.from(address), config), maxConnections,
				maxWaiting, logger);
	}

	private JedisClientConfig nodeConfig(int database) {
		return clientConfig(database, () -> credentials(this.details.getUsername(), this.details.getPassword()));
	}

	private JedisClientConfig clientConfig(int database, Supplier<RedisCredentials> credentials) {
		int timeoutMillis = Math.toIntExact(this.settings.connectTimeout().toMillis());
		DefaultJedisClientConfig.Builder builder = DefaultJedisClientConfig.builder()
			.connectionTimeoutMillis(timeoutMillis)
			.socketTimeoutMillis(timeoutMillis)
			.credentialsProvider(credentials)
			.database(database)
			.clientName(this.settings.clientName())
			// CLIENT SETINFO needs Redis 7.2 and a permission of its own.
			.clientSetInfoConfig(ClientSetInfoConfig.DISABLED);
		SslBundle bundle = this.details.getSslBundle();
		return (bundle == null) ? builder.build()
				: new Tls(builder.ssl(true).build(), this.details::getSslBundle, bundle);
	}

	/** A URL such as {@code redis://:password@host} yields a user with an empty name. */
	private static RedisCredentials credentials(@Nullable String username, @Nullable String password) {
		return new DefaultRedisCredentials(textOrNull(username), textOrNull(password));
	}

	private static @Nullable String textOrNull(@Nullable String text) {
		return StringUtils.hasText(text) ? text : null;
	}

}
