package dev.ratelimit.store.redis.resp;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;

/**
 * Where Redis is, and what its connections need. The address is read once; the login and
 * the bundle are read for each new connection, so they may change.
 */
public interface RedisDetails {

	/**
	 * The address.
	 * @return the address
	 */
	RedisAddress address();

	/**
	 * The user of each node.
	 * @return the login
	 */
	default RedisLogin login() {
		return RedisLogin.NONE;
	}

	/**
	 * What encrypts connections.
	 * @return the bundle, or null if connections are not encrypted
	 */
	default @Nullable SslBundle sslBundle() {
		return null;
	}

}
