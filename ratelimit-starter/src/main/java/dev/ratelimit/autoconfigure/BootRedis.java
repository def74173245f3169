package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.spi.RulesNotEnforceableException;
import dev.ratelimit.store.redis.resp.RedisAddress;
import dev.ratelimit.store.redis.resp.RedisDetails;
import dev.ratelimit.store.redis.resp.RedisLogin;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/**
 * The Redis of Boot's connection details: those of the application, of a container or of
 * Docker Compose. Loaded only if Boot's module for Redis is on the class path.
 */
final class BootRedis implements RedisDetails {

	/**
	 * Those that Boot makes of spring.data.redis.*. They do not report that a URL
	 * requests TLS. The class is not public.
	 */
	private static final String OF_SETTINGS = DataRedisConnectionDetails.class.getPackageName()
			+ ".PropertiesDataRedisConnectionDetails";

	private final DataRedisConnectionDetails details;

	BootRedis(DataRedisConnectionDetails details) {
		this.details = details;
	}

	/**
	 * Find connection details that something else than spring.data.redis.* determines.
	 * @param beanFactory the beans
	 * @return the Redis, if there are such details
	 */
	static Optional<RedisDetails> find(BeanFactory beanFactory) {
		return Optional.ofNullable(beanFactory.getBeanProvider(DataRedisConnectionDetails.class).getIfAvailable())
			.filter((details) -> !details.getClass().getName().equals(OF_SETTINGS))
			.map(BootRedis::new);
	}

	@Override
	public RedisLogin login() {
		return new RedisLogin(this.details.getUsername(), this.details.getPassword());
	}

	@Override
	public @Nullable SslBundle sslBundle() {
		return this.details.getSslBundle();
	}

	@Override
	public RedisAddress address() {
		DataRedisConnectionDetails.Sentinel sentinel = this.details.getSentinel();
		if (sentinel != null) {
			return new RedisAddress.SentinelMaster(sentinel.getMaster(), nodes(sentinel.getNodes()),
					sentinel.getDatabase(), () -> new RedisLogin(sentinel.getUsername(), sentinel.getPassword()));
		}
		DataRedisConnectionDetails.Cluster cluster = this.details.getCluster();
		if (cluster != null) {
			return new RedisAddress.ClusterNodes(nodes(cluster.getNodes()));
		}
		if (this.details.getMasterReplica() != null) {
			throw ConfiguredRedis.masterReplica();
		}
		DataRedisConnectionDetails.Standalone standalone = this.details.getStandalone();
		if (standalone == null) {
			throw new RulesNotEnforceableException(
					"The bean of type " + DataRedisConnectionDetails.class.getName() + " names no Redis",
					"Return a standalone Redis, Sentinels or a Cluster");
		}
		return new RedisAddress.SingleServer(new RedisAddress.HostPort(standalone.getHost(), standalone.getPort()),
				standalone.getDatabase());
	}

	private static List<RedisAddress.HostPort> nodes(List<DataRedisConnectionDetails.Node> nodes) {
		return nodes.stream().map((node) -> new RedisAddress.HostPort(node.host(), node.port())).toList();
	}

}
