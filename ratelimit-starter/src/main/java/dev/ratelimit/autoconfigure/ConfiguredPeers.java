package dev.ratelimit.autoconfigure;

import dev.ratelimit.spi.RulesNotEnforceableException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.autoconfigure.RateLimitProperties.DataCenterProperties;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.store.redis.datacenter.DataCenters;
import dev.ratelimit.store.redis.datacenter.Peers;
import dev.ratelimit.store.redis.resp.RedisConnections;
import dev.ratelimit.store.redis.resp.RedisStoreSettings;
import dev.ratelimit.store.wire.CallRunner;
import org.jspecify.annotations.Nullable;

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
				.forEach((peer, its) -> redis
					.put(peer,
							new RedisConnections(
									new ConfiguredRedis("ratelimit.datacenter.peers." + peer, its, bundles), settings)
								.open()));
			return new Peers(name, redis, subjects.fingerprint(settings.keyPrefix()), System::nanoTime);
		});
	}

}
