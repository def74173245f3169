package dev.ratelimit.web.claim;

import java.security.Principal;

import org.jspecify.annotations.Nullable;

import org.springframework.security.authentication.AuthenticationTrustResolver;
import org.springframework.security.authentication.AuthenticationTrustResolverImpl;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.util.ClassUtils;

/**
 * The user in the security context of the calling thread: for calls that no request
 * makes. Safe to use where there is no Spring Security. Tested by
 * {@code AnnotatedBeanTests}.
 */
public final class ThreadUser {

	private static final boolean READABLE = ClassUtils.isPresent(
			"org.springframework.security.core.context.SecurityContextHolder", ThreadUser.class.getClassLoader());

	private ThreadUser() {
	}

	/**
	 * Find the user.
	 * @return the authenticated user, if there is one; an anonymous one is none
	 */
	public static @Nullable Principal find() {
		return READABLE ? OfContext.find() : null;
	}

	/** A class of its own, so that Spring Security may be absent. */
	private static final class OfContext {

		private static final AuthenticationTrustResolver TRUST = new AuthenticationTrustResolverImpl();

		static @Nullable Principal find() {
			Authentication user = SecurityContextHolder.getContext().getAuthentication();
			return TRUST.isAuthenticated(user) ? user : null;
		}

	}

}
