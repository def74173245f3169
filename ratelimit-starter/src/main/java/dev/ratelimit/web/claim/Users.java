package dev.ratelimit.web.claim;

import java.security.Principal;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * Finds the authenticated user, and reads the name of a user. Safe to use where there is
 * no Spring Security.
 */
public final class Users {

	private static final boolean SECURED = ClassUtils.isPresent(
			"org.springframework.security.authentication.AbstractAuthenticationToken", Users.class.getClassLoader());

	private Users() {
	}

	/**
	 * Find the user in the security context of the calling thread: for calls that no
	 * request makes.
	 * @return the authenticated user, if there is one; an anonymous one is none
	 */
	public static @Nullable Principal ofThread() {
		return SECURED ? SecurityUsers.ofThread() : null;
	}

	/**
	 * Find the name of a user. Costs a few comparisons of types.
	 * @param user the authenticated user, if there is one
	 * @return the name; empty if it is blank, or if it is only the text of an object that
	 * has no name, which may differ from login to login
	 */
	public static Optional<String> name(@Nullable Principal user) {
		if (user == null || (SECURED && SecurityUsers.hasNoName(user))) {
			return Optional.empty();
		}
		return Optional.ofNullable(user.getName()).filter((name) -> !name.isBlank());
	}

}
