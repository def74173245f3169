package dev.ratelimit.autoconfigure;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Objects;

import dev.ratelimit.spi.RedisLocation;
import dev.ratelimit.spi.RulesNotEnforceableException;
import dev.ratelimit.store.redis.resp.RedisAddress;
import dev.ratelimit.store.redis.resp.RedisDetails;
import dev.ratelimit.store.redis.resp.RedisLogin;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * A Redis as {@code spring.data.redis.*} locates it, read as Boot reads it.
 */
final class ConfiguredRedis implements RedisDetails {

	private static final String OF_BOOT = "spring.data.redis";

	private static final int DEFAULT_PORT = 6379;

	private final String place;

	private final RedisLocation location;

	private final @Nullable SslBundles bundles;

	private final @Nullable URI url;

	/**
	 * Check the settings.
	 * @param place where they stand
	 * @param location the settings
	 * @param bundles the SSL bundles of the application
	 * @throws RulesNotEnforceableException if the URL is not one of a Redis
	 */
	ConfiguredRedis(String place, RedisLocation location, @Nullable SslBundles bundles) {
		this.place = place;
		this.location = location;
		this.bundles = bundles;
		this.url = (location.url() != null) ? url(location.url()) : null;
	}

	/**
	 * The Redis of {@code spring.data.redis}. Boot reads these settings only for an
	 * application that has Spring Data.
	 * @param environment the settings
	 * @param bundles the SSL bundles of the application
	 * @return the Redis
	 * @throws RulesNotEnforceableException if a setting names no Redis to count on
	 */
	static ConfiguredRedis ofBoot(Environment environment, @Nullable SslBundles bundles) {
		if (Places.isSet(environment, OF_BOOT + ".masterreplica")) {
			throw masterReplica();
		}
		RedisLocation location = Binder.get(environment).bindOrCreate(OF_BOOT, RedisLocation.class);
		if (location.cluster() == null && Places.isSet(environment, OF_BOOT + ".cluster")) {
			throw missing(OF_BOOT + ".cluster.nodes");
		}
		return new ConfiguredRedis(OF_BOOT, location, bundles);
	}

	static RulesNotEnforceableException masterReplica() {
		return new RulesNotEnforceableException(
				"Redis is a static master/replica setup (spring.data.redis.masterreplica): the limiter would not "
						+ "know a new master after a failover",
				"Configure Sentinel, a Cluster or the one Redis to count on");
	}

	private static RulesNotEnforceableException missing(String setting) {
		return new RulesNotEnforceableException(setting + " is missing", "Set it");
	}

	/** No error includes the text, because it may contain a password. */
	private URI url(String text) {
		try {
			URI url = new URI(text);
			if (url.getHost() != null && List.of("redis", "rediss").contains(url.getScheme())
					&& url.getPath().matches("/?\\d{0,6}")) {
				return url;
			}
		}
		catch (URISyntaxException ex) {
			// The exception's message contains the text, so it is dropped.
		}
		throw new RulesNotEnforceableException(this.place + ".url is not the URL of a Redis",
				"Write redis://user:password@host:port/database, or rediss:// for TLS");
	}

	@Override
	public RedisLogin login() {
		if (this.url == null) {
			return new RedisLogin(this.location.username(), this.location.password());
		}
		String info = Objects.requireNonNullElse(this.url.getUserInfo(), "");
		int colon = info.indexOf(':');
		return new RedisLogin((colon != -1) ? info.substring(0, colon) : null,
				(this.url.getUserInfo() != null) ? info.substring(colon + 1) : null);
	}

	@Override
	public @Nullable SslBundle sslBundle() {
		RedisLocation.Ssl ssl = this.location.ssl();
		if (!ssl.isEnabled() && !hasSecureUrl()) {
			return null;
		}
		if (!StringUtils.hasText(ssl.bundle())) {
			return SslBundle.systemDefault();
		}
		if (this.bundles == null) {
			throw new RulesNotEnforceableException(
					this.place + ".ssl.bundle is '" + ssl.bundle() + "', but there are no SSL bundles",
					"Let Spring Boot configure them: SslAutoConfiguration is left out");
		}
		return this.bundles.getBundle(ssl.bundle());
	}

	private boolean hasSecureUrl() {
		return this.url != null && "rediss".equals(this.url.getScheme());
	}

	@Override
	public RedisAddress address() {
		RedisAddress.SingleServer server = server();
		RedisLocation.Sentinel sentinel = this.location.sentinel();
		if (sentinel != null) {
			RedisLogin login = new RedisLogin(sentinel.username(), sentinel.password());
			return new RedisAddress.SentinelMaster(required(this.place + ".sentinel.master", sentinel.master()),
					nodes(this.place + ".sentinel.nodes", sentinel.nodes()), server.database(), () -> login);
		}
		RedisLocation.Cluster cluster = this.location.cluster();
		return (cluster != null) ? new RedisAddress.ClusterNodes(nodes(this.place + ".cluster.nodes", cluster.nodes()))
				: server;
	}

	private RedisAddress.SingleServer server() {
		if (this.url == null) {
			return new RedisAddress.SingleServer(new RedisAddress.HostPort(this.location.host(), this.location.port()),
					this.location.database());
		}
		String database = this.url.getPath().replace("/", "");
		return new RedisAddress.SingleServer(
				new RedisAddress.HostPort(this.url.getHost(),
						(this.url.getPort() != -1) ? this.url.getPort() : DEFAULT_PORT),
				database.isEmpty() ? 0 : Integer.parseInt(database));
	}

	private static List<RedisAddress.HostPort> nodes(String setting, @Nullable List<String> nodes) {
		return required(setting, nodes).stream().map((node) -> node(setting, node)).toList();
	}

	private static RedisAddress.HostPort node(String setting, String text) {
		int colon = text.lastIndexOf(':');
		if (colon < 1 || !text.substring(colon + 1).matches("\\d{1,5}")) {
			throw new RulesNotEnforceableException("%s is '%s', which is no host and port".formatted(setting, text),
					"Write host:port, such as redis-1:6379");
		}
		return new RedisAddress.HostPort(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
	}

	private static <T> T required(String setting, @Nullable T value) {
		if (value == null) {
			throw missing(setting);
		}
		return value;
	}

}
