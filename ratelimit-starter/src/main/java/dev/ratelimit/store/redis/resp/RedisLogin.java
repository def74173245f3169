package dev.ratelimit.store.redis.resp;

import org.jspecify.annotations.Nullable;

/**
 * A user of Redis, and its password.
 *
 * @param username the user, or null for the default user
 * @param password the password, or null if none is needed
 */
public record RedisLogin(@Nullable String username, @Nullable String password) {

	/** Neither user nor password. */
	public static final RedisLogin NONE = new RedisLogin(null, null);

	/** Without its password. */
	@Override
	public String toString() {
		return "RedisLogin";
	}

}
