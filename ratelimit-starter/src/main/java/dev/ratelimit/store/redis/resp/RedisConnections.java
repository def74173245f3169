package dev.ratelimit.store.redis.resp;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import javax.net.ssl.SSLParameters;

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

import org.springframework.boot.ssl.SslBundle;
import org.springframework.util.StringUtils;

/**
 * Opens connections to a Redis, however it is deployed, and configures them. Tested by
 * {@code TlsTests}.
 */
public final class RedisConnections {

	private static final Log logger = LogFactory.getLog(Topology.CATEGORY);

	private final RedisDetails details;

	private final RedisStoreSettings settings;

	public RedisConnections(RedisDetails details, RedisStoreSettings settings) {
		this.details = details;
		this.settings = settings;
	}

	/**
	 * Open the connections. Redis may be absent.
	 * @return a runner of calls on that Redis
	 */
	public CallRunner open() {
		RedisAddress address = this.details.address();
		if (address instanceof RedisAddress.SentinelMaster sentinel) {
			return sentinel(sentinel);
		}
		if (address instanceof RedisAddress.ClusterNodes cluster) {
			return cluster(cluster);
		}
		return single((RedisAddress.SingleServer) address);
	}

	private CallRunner single(RedisAddress.SingleServer single) {
		HostAndPort address = address(single.server());
		String name = "Redis at " + address;
		return runner(name, () -> {
			Nodes nodes = nodes(nodeConfigs(), single.database());
			return Topology.of(name, nodes, nodes.at(address.toString()), this.settings.connectTimeout());
		});
	}

	private CallRunner sentinel(RedisAddress.SentinelMaster sentinel) {
		List<HostAndPort> sentinels = addresses(sentinel.sentinels());
		String name = "Redis " + sentinel.master() + " of the Sentinels at " + joined(sentinels);
		Supplier<JedisClientConfig> config = configs(sentinel.login());
		return discovered(name, sentinel.database(),
				(nodes) -> Discovery.ofSentinels(nodes, sentinels, config, sentinel.master()));
	}

	private CallRunner cluster(RedisAddress.ClusterNodes cluster) {
		List<HostAndPort> seeds = addresses(cluster.nodes());
		Supplier<JedisClientConfig> config = nodeConfigs();
		return discovered("Redis Cluster at " + joined(seeds), 0, (nodes) -> Discovery.ofCluster(nodes, seeds, config));
	}

	private CallRunner discovered(String name, int database, Function<Nodes, Discovery> discovery) {
		return runner(name, () -> {
			Nodes nodes = nodes(nodeConfigs(), database);
			return Topology.discovered(name, nodes, discovery.apply(nodes)::discover, this.settings.connectTimeout());
		});
	}

	private CallRunner runner(String name, Supplier<Topology> topologies) {
		return new RoutedCallRunner(name, topologies, logger);
	}

	private static List<HostAndPort> addresses(List<RedisAddress.HostPort> nodes) {
		return nodes.stream().map(RedisConnections::address).toList();
	}

	private static HostAndPort address(RedisAddress.HostPort node) {
		return new HostAndPort(node.host(), node.port());
	}

	private static String joined(List<HostAndPort> addresses) {
		return addresses.stream().map(HostAndPort::toString).collect(Collectors.joining(","));
	}

	private Nodes nodes(Supplier<JedisClientConfig> config, int database) {
		return nodes(config, database, this.settings.maxConnections(), this.settings.maxWaiting());
	}

	static Nodes nodes(Supplier<JedisClientConfig> config, int database, int maxConnections, int maxWaiting) {
		return new Nodes("redis", (address) -> RespCodec.connect(HostAndPort.from(address), config.get(), database),
				maxConnections, maxWaiting, logger);
	}

	/** How to connect to a node, found for each connection. */
	Supplier<JedisClientConfig> nodeConfigs() {
		return configs(this.details::login);
	}

	/**
	 * How to connect, found for each connection: a bundle that was reloaded applies to
	 * connections opened from then on. One that cannot be used stops the start. Until
	 * another one is loaded, connections share a TLS context, and resume its sessions.
	 */
	private Supplier<JedisClientConfig> configs(Supplier<RedisLogin> login) {
		SslBundle first = this.details.sslBundle();
		if (first == null) {
			JedisClientConfig plain = config(login).build();
			return () -> plain;
		}
		AtomicReference<Encrypted> last = new AtomicReference<>(encrypted(login, first));
		return () -> last.updateAndGet((known) -> {
			SslBundle now = this.details.sslBundle();
			return (now == null || now == known.bundle()) ? known : encrypted(login, now);
		}).config();
	}

	private Encrypted encrypted(Supplier<RedisLogin> login, SslBundle bundle) {
		SSLParameters parameters = new SSLParameters(bundle.getOptions().getCiphers(),
				bundle.getOptions().getEnabledProtocols());
		// Without this, a certificate of any host would be accepted.
		parameters.setEndpointIdentificationAlgorithm("HTTPS");
		JedisClientConfig config = config(login).ssl(true)
			.sslSocketFactory(bundle.createSslContext().getSocketFactory())
			.sslParameters(parameters)
			.build();
		return new Encrypted(bundle, config);
	}

	private DefaultJedisClientConfig.Builder config(Supplier<RedisLogin> login) {
		int timeoutMillis = Math.toIntExact(this.settings.connectTimeout().toMillis());
		return DefaultJedisClientConfig.builder()
			.connectionTimeoutMillis(timeoutMillis)
			.socketTimeoutMillis(timeoutMillis)
			.credentialsProvider(() -> credentials(login.get()))
			.clientName("ratelimit")
			// CLIENT SETINFO needs Redis 7.2 and a permission of its own.
			.clientSetInfoConfig(ClientSetInfoConfig.DISABLED);
	}

	/** A URL such as {@code redis://:password@host} yields a user with an empty name. */
	private static RedisCredentials credentials(RedisLogin login) {
		return new DefaultRedisCredentials(textOrNull(login.username()), textOrNull(login.password()));
	}

	private static @Nullable String textOrNull(@Nullable String text) {
		return StringUtils.hasText(text) ? text : null;
	}

	private record Encrypted(SslBundle bundle, JedisClientConfig config) {
	}

}
