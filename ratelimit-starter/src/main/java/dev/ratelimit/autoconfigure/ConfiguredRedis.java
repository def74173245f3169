package dev.ratelimit.autoconfigure;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.util.StringUtils;

/**
 * The Redis of {@code spring.data.redis.*}. Boot reads these settings only for an
 * application that has Spring Data.
 */
final class ConfiguredRedis implements DataRedisConnectionDetails {

	private static final int DEFAULT_PORT = 6379;

	private final DataRedisProperties properties;

	private final @Nullable SslBundles bundles;

	private final @Nullable URI url;

	private final String place;

	/**
	 * Check the settings of {@code spring.data.redis}.
	 * @param properties the settings
	 * @param bundles the SSL bundles of the application
	 * @throws RulesNotEnforceableException if a setting names no Redis
	 */
	ConfiguredRedis(DataRedisProperties properties, @Nullable SslBundles bundles) {
		this("spring.data.redis", properties, bundles);
	}

	/**
	 * Check the settings.
	 * @param place where they stand
	 * @param properties the settings
	 * @param bundles the SSL bundles of the application
	 * @throws RulesNotEnforceableException if a setting names no Redis
	 */
	ConfiguredRedis(String place, DataRedisProperties properties, @Nullable SslBundles bundles) {
		this.place = place;
		this.properties = properties;
		this.bundles = bundles;
		this.url = (properties.getUrl() != null) ? url(properties.getUrl()) : null;
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
	public @Nullable String getUsername() {
		if (this.url == null) {
			return this.properties.getUsername();
		}
		String info = Objects.requireNonNullElse(this.url.getUserInfo(), "");
		return info.contains(":") ? info.substring(0, info.indexOf(':')) : null;
	}

	@Override
	public @Nullable String getPassword() {
		if (this.url == null) {
			return this.properties.getPassword();
		}
		String info = this.url.getUserInfo();
		return (info != null) ? info.substring(info.indexOf(':') + 1) : null;
	}

	@Override
	public @Nullable SslBundle getSslBundle() {
		String name = this.properties.getSsl().getBundle();
		if (!this.properties.getSsl().isEnabled() && !hasSecureUrl()) {
			return null;
		}
		if (!StringUtils.hasText(name)) {
			return SslBundle.systemDefault();
		}
		if (this.bundles == null) {
			throw new RulesNotEnforceableException(
					this.place + ".ssl.bundle is '" + name + "', but there are no SSL bundles",
					"Let Spring Boot configure them: SslAutoConfiguration is left out");
		}
		return this.bundles.getBundle(name);
	}

	private boolean hasSecureUrl() {
		return this.url != null && "rediss".equals(this.url.getScheme());
	}

	@Override
	public Standalone getStandalone() {
		if (this.url == null) {
			return Standalone.of(this.properties.getHost(), this.properties.getPort(), this.properties.getDatabase());
		}
		String database = this.url.getPath().replace("/", "");
		return Standalone.of(this.url.getHost(), (this.url.getPort() != -1) ? this.url.getPort() : DEFAULT_PORT,
				database.isEmpty() ? 0 : Integer.parseInt(database));
	}

	@Override
	public @Nullable Sentinel getSentinel() {
		DataRedisProperties.Sentinel sentinel = this.properties.getSentinel();
		if (sentinel == null) {
			return null;
		}
		return new Sentinels(getStandalone().getDatabase(),
				required(this.place + ".sentinel.master", sentinel.getMaster()),
				nodes(this.place + ".sentinel.nodes", sentinel.getNodes()), sentinel.getUsername(),
				sentinel.getPassword());
	}

	@Override
	public @Nullable Cluster getCluster() {
		DataRedisProperties.Cluster cluster = this.properties.getCluster();
		if (cluster == null) {
			return null;
		}
		List<Node> nodes = nodes(this.place + ".cluster.nodes", cluster.getNodes());
		return () -> nodes;
	}

	@Override
	public @Nullable MasterReplica getMasterReplica() {
		DataRedisProperties.Masterreplica replicas = this.properties.getMasterreplica();
		if (replicas == null) {
			return null;
		}
		List<Node> nodes = nodes(this.place + ".masterreplica.nodes", replicas.getNodes());
		return () -> nodes;
	}

	private static List<Node> nodes(String setting, @Nullable List<String> nodes) {
		return required(setting, nodes).stream().map((node) -> node(setting, node)).toList();
	}

	private static Node node(String setting, String text) {
		int colon = text.lastIndexOf(':');
		if (colon < 1 || !text.substring(colon + 1).matches("\\d{1,5}")) {
			throw new RulesNotEnforceableException("%s is '%s', which is no host and port".formatted(setting, text),
					"Write host:port, such as redis-1:6379");
		}
		return new Node(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
	}

	private static <T> T required(String setting, @Nullable T value) {
		if (value == null) {
			throw new RulesNotEnforceableException(setting + " is missing", "Set it");
		}
		return value;
	}

	private record Sentinels(int database, String master, List<Node> nodes, @Nullable String username,
			@Nullable String password) implements Sentinel {

		@Override
		public int getDatabase() {
			return this.database;
		}

		@Override
		public String getMaster() {
			return this.master;
		}

		@Override
		public List<Node> getNodes() {
			return this.nodes;
		}

		@Override
		public @Nullable String getUsername() {
			return this.username;
		}

		@Override
		public @Nullable String getPassword() {
			return this.password;
		}

	}

}
