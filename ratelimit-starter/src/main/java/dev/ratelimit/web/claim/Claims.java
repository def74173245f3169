package dev.ratelimit.web.claim;

import java.security.Principal;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * Reads claims of the authenticated user. Safe to use where there is no Spring Security.
 * Tested by {@code TokenClaimsTests}.
 */
public final class Claims {

	private static final boolean READABLE = ClassUtils
		.isPresent("org.springframework.security.oauth2.core.ClaimAccessor", Claims.class.getClassLoader());

	private Claims() {
	}

	/**
	 * Whether the application can have tokens at all.
	 * @return whether Spring Security's OAuth 2 support is on the class path
	 */
	public static boolean areReadable() {
		return READABLE;
	}

	/**
	 * Find a claim. Costs a look-up in the claims that Spring Security has read and
	 * verified.
	 * @param user the authenticated user, if there is one
	 * @param name the name of the claim
	 * @return its text; empty if there is no such claim, or none that tells users apart
	 */
	public static Optional<String> find(@Nullable Principal user, String name) {
		return (READABLE && user != null) ? TokenClaims.find(user, name) : Optional.empty();
	}

}
