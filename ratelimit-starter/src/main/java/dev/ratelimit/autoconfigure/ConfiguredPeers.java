package dev.ratelimit.autoconfigure;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.autoconfigure.RateLimitProperties.DataCenterProperties;
import dev.ratelimit.autoconfigure.RateLimitProperties.PeerRedis;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.store.redis.datacenter.DataCenters;
import dev.ratelimit.store.redis.datacenter.Peers;
import dev.ratelimit.store.redis.resp.RedisConnections;
import dev.ratelimit.store.redis.resp.RedisStoreSettings;
import dev.ratelimit.store.wire.CallRunner;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.boot.ssl.SslBundles;

/**
 * The other data centres as they are configured.
 */
final class ConfiguredPeers {

	private ConfiguredPeers() {
	}

	/** All data centres, if there are several. */
	static Optional<DataCenters> names(DataCenterProperties datacenter) {
		return name(datacenter).map((name) -> new DataCenters(name, List.copyOf(datacenter.peers().keySet())));
	}

	/** Without peers, limits of all data centres are limits of this one. */
	private static Optional<String> name(DataCenterProperties datacenter) {
		return Optional.ofNullable(datacenter.name()).filter((name) -> !datacenter.peers().isEmpty());
	}

	/**
	 * Open connections to the Redis of each other data centre, which may be absent.
	 * @throws RulesNotEnforceableException if a setting names no Redis
	 */
	static Optional<Peers> open(DataCenterProperties datacenter, RedisStoreSettings settings, SubjectEncoder subjects,
			@Nullable SslBundles bundles) {
		return name(datacenter).map((name) -> {
			Map<String, CallRunner> redis = new LinkedHashMap<>();
			datacenter.peers()
				.forEach((peer, its) -> redis.put(peer,
						new RedisConnections(
								new ConfiguredRedis("ratelimit.datacenter.peers." + peer, properties(its), bundles),
								settings)
							.open()));
			return new Peers(name, redis, subjects.fingerprint(settings.keyPrefix()), System::nanoTime);
		});
	}

	private static DataRedisProperties properties(PeerRedis peer) {
		DataRedisProperties properties = new DataRedisProperties();
		properties.setHost(peer.host());
		properties.setPort(peer.port());
		properties.setDatabase(peer.database());
		properties.setUrl(peer.url());
		properties.setUsername(peer.username());
		properties.setPassword(peer.password());
		if (peer.ssl() != null) {
			properties.getSsl().setEnabled(Boolean.TRUE.equals(peer.ssl().enabled()) || peer.ssl().bundle() != null);
			properties.getSsl().setBundle(peer.ssl().bundle());
		}
		if (peer.cluster() != null) {
			DataRedisProperties.Cluster cluster = new DataRedisProperties.Cluster();
			cluster.setNodes(peer.cluster().nodes());
			properties.setCluster(cluster);
		}
		if (peer.sentinel() != null) {
			DataRedisProperties.Sentinel sentinel = new DataRedisProperties.Sentinel();
			sentinel.setMaster(peer.sentinel().master());
			sentinel.setNodes(peer.sentinel().nodes());
			sentinel.setUsername(peer.sentinel().username());
			sentinel.setPassword(peer.sentinel().password());
			properties.setSentinel(sentinel);
		}
		return properties;
	}

}
