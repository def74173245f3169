package dev.ratelimit.web.claim;

import java.lang.reflect.Method;
import java.security.Principal;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.authentication.AuthenticationTrustResolver;
import org.springframework.security.authentication.AuthenticationTrustResolverImpl;
import org.springframework.security.core.AuthenticatedPrincipal;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.util.ClassUtils;

/**
 * The users of Spring Security. A class of its own, so that Spring Security may be
 * absent. Tested by {@code UsersTests}.
 */
final class SecurityUsers {

	private static final Log logger = LogFactory.getLog(SecurityUsers.class);

	/** Bounds the log if an application generates classes. */
	private static final int MOST_WARNINGS = 100;

	private static final Set<String> WARNED = ConcurrentHashMap.newKeySet();

	private static final AuthenticationTrustResolver TRUST = new AuthenticationTrustResolverImpl();

	private static final ClassValue<Boolean> HAS_OWN_NAME = new ClassValue<>() {

		@Override
		protected Boolean computeValue(Class<?> token) {
			Method method = ClassUtils.getMethodIfAvailable(token, "getName");
			return method == null || method.getDeclaringClass() != AbstractAuthenticationToken.class;
		}

	};

	private SecurityUsers() {
	}

	/**
	 * The user of the calling thread; {@code null} if it has none, or an anonymous one.
	 */
	static @Nullable Principal ofThread() {
		Authentication user = SecurityContextHolder.getContext().getAuthentication();
		return TRUST.isAuthenticated(user) ? user : null;
	}

	/**
	 * Whether the name of a user is what {@code toString()} of its principal returns. The
	 * text of a simple value, such as a number or a UUID, is a name.
	 */
	static boolean hasNoName(Principal user) {
		if (!(user instanceof AbstractAuthenticationToken token) || HAS_OWN_NAME.get(token.getClass())) {
			return false;
		}
		Object principal = token.getPrincipal();
		if (principal == null || principal instanceof String || principal instanceof UserDetails
				|| principal instanceof Principal || principal instanceof AuthenticatedPrincipal
				|| ClassUtils.isSimpleValueType(principal.getClass())) {
			return false;
		}
		warn(principal.getClass().getName());
		return true;
	}

	private static void warn(String type) {
		if (WARNED.size() < MOST_WARNINGS && WARNED.add(type)) {
			logger.warn("A user is of the type " + type + ", which has no name: the text of its toString() may differ "
					+ "from login to login, and each would be counted as a client of its own. Rules that count by "
					+ "principal have no key for it (on-missing-key). Count by a KeyResolver bean (key: bean:NAME) that "
					+ "returns what identifies the user, or let the type implement AuthenticatedPrincipal. This is "
					+ "logged once per type.");
		}
	}

}
