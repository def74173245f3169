package dev.ratelimit.web.claim;

import java.math.BigInteger;
import java.security.Principal;
import java.util.Optional;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.core.ClaimAccessor;

/**
 * The claims of a JWT, of an introspected token or of an OpenID Connect user. A class of
 * its own, so that Spring Security may be absent.
 * <p>
 * A text is its own text, a whole number is {@code number:42} and a boolean
 * {@code boolean:true}. A text that begins like one of these gets the prefix
 * {@code text:}, so no two values share a text. Lists, objects, times and fractions have
 * no text: it would not be unique, or would differ from token to token.
 */
final class TokenClaims {

	private static final Pattern MARKED = Pattern.compile("(?:text|number|boolean):");

	private TokenClaims() {
	}

	static Optional<String> find(Principal user, String name) {
		if (!(user instanceof Authentication authentication) || !authentication.isAuthenticated()) {
			return Optional.empty();
		}
		ClaimAccessor claims = claims(authentication);
		return (claims != null) ? text(claims.getClaims().get(name)) : Optional.empty();
	}

	/**
	 * An application may replace the principal by its own type; the token is then found
	 * in the credentials.
	 */
	private static @Nullable ClaimAccessor claims(Authentication authentication) {
		if (authentication.getPrincipal() instanceof ClaimAccessor principal) {
			return principal;
		}
		return (authentication.getCredentials() instanceof ClaimAccessor token) ? token : null;
	}

	static Optional<String> text(@Nullable Object value) {
		if (value instanceof String text) {
			return text.isBlank() ? Optional.empty()
					: Optional.of(MARKED.matcher(text).lookingAt() ? "text:" + text : text);
		}
		if (value instanceof Long || value instanceof Integer || value instanceof BigInteger) {
			return Optional.of("number:" + value);
		}
		return (value instanceof Boolean) ? Optional.of("boolean:" + value) : Optional.empty();
	}

}
