package dev.ratelimit.web.claim;

import java.security.Principal;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * Reads the name of the authenticated user. Safe to use where there is no Spring
 * Security.
 */
public final class UserNames {

	private static final boolean SECURED = ClassUtils.isPresent(
			"org.springframework.security.authentication.AbstractAuthenticationToken",
			UserNames.class.getClassLoader());

	private UserNames() {
	}

	/**
	 * Find the name of a user. Costs a few comparisons of types.
	 * @param user the authenticated user, if there is one
	 * @return the name; empty if it is blank, or if it is only the text of an object that
	 * has no name, which may differ from login to login
	 */
	public static Optional<String> find(@Nullable Principal user) {
		if (user == null || (SECURED && TokenNames.isText(user))) {
			return Optional.empty();
		}
		return Optional.ofNullable(user.getName()).filter((name) -> !name.isBlank());
	}

}
