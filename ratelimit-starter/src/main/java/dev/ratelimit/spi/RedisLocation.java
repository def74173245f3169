package dev.ratelimit.spi;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where a Redis is, in the form of spring.data.redis.
 *
 * @param host Host.
 * @param port Port.
 * @param database Number of the database.
 * @param url URL, instead of the others.
 * @param username User.
 * @param password Password.
 * @param ssl Encryption.
 * @param cluster Nodes of a Redis Cluster.
 * @param sentinel Sentinels that know the master.
 */
public record RedisLocation(@DefaultValue("localhost") String host, @DefaultValue("6379") int port,
		@DefaultValue("0") int database, @Nullable String url, @Nullable String username, @Nullable String password,
		@DefaultValue Ssl ssl, @Nullable Cluster cluster, @Nullable Sentinel sentinel) {

	/** Without its passwords. */
	@Override
	public String toString() {
		return "RedisLocation";
	}

	/**
	 * Encryption.
	 *
	 * @param enabled Whether connections are encrypted; if there is a bundle, they are.
	 * @param bundle SSL bundle; the certificates of the JVM unless set.
	 */
	public record Ssl(@Nullable Boolean enabled, @Nullable String bundle) {

		/** A bundle alone enables it. */
		public boolean isEnabled() {
			return (this.enabled != null) ? this.enabled : this.bundle != null;
		}

	}

	/**
	 * Nodes of a Redis Cluster.
	 *
	 * @param nodes Some of its nodes.
	 */
	public record Cluster(@Nullable List<String> nodes) {
	}

	/**
	 * Sentinels that know the master.
	 *
	 * @param master Name of the master.
	 * @param nodes The Sentinels.
	 * @param username Their user.
	 * @param password Their password.
	 */
	public record Sentinel(@Nullable String master, @Nullable List<String> nodes, @Nullable String username,
			@Nullable String password) {
	}

}
