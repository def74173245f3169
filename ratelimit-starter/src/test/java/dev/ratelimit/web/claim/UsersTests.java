package dev.ratelimit.web.claim;

import java.security.Principal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.ratelimit.integration.support.CapturedLog;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.AuthenticatedPrincipal;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.OAuth2AccessToken.TokenType;
import org.springframework.security.oauth2.core.oidc.OidcIdToken;
import org.springframework.security.oauth2.core.oidc.user.DefaultOidcUser;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthentication;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationToken;
import org.springframework.security.oauth2.server.resource.introspection.OAuth2IntrospectionAuthenticatedPrincipal;
import org.springframework.security.web.authentication.preauth.PreAuthenticatedAuthenticationToken;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * A user is counted by a name that stays the same from login to login, or not by name.
 */
class UsersTests {

	private static final Jwt TOKEN = Jwt.withTokenValue("token").header("alg", "none").subject("alice").build();

	private static final Jwt WITHOUT_SUBJECT = Jwt.withTokenValue("token").header("alg", "none").claim("a", 1).build();

	private static final UUID ID = UUID.fromString("5f0c4f6e-6c1b-4a36-9a52-0d0c7e2c1c55");

	static Stream<Arguments> users() {
		Map<String, Object> attributes = Map.of("sub", "alice");
		OAuth2AccessToken opaque = new OAuth2AccessToken(TokenType.BEARER, "token", null, null);
		AuthenticatedPrincipal ofSaml = () -> "alice";
		return Stream.of(arguments("JWT of a resource server", new JwtAuthenticationToken(TOKEN, List.of()), "alice"),
				arguments("JWT without sub", new JwtAuthenticationToken(WITHOUT_SUBJECT, List.of()), ""),
				arguments("JWT with a name of its own", new JwtAuthenticationToken(TOKEN, List.of(), "bob"), "bob"),
				arguments("JWT in another token", token(TOKEN), ""),
				arguments("opaque token",
						new BearerTokenAuthentication(
								new OAuth2IntrospectionAuthenticatedPrincipal(attributes, List.of()), opaque,
								List.of()),
						"alice"),
				arguments("OpenID Connect",
						token(new DefaultOidcUser(List.of(), new OidcIdToken("token", null, null, attributes))),
						"alice"),
				arguments("SAML", token(ofSaml), "alice"),
				arguments("X.509", new PreAuthenticatedAuthenticationToken("alice", "N/A"), "alice"),
				arguments("X.509 with UserDetails",
						new PreAuthenticatedAuthenticationToken(new User("alice", "", List.of()), "N/A"), "alice"),
				arguments("text", token("alice"), "alice"), arguments("blank text", token(" "), ""),
				arguments("principal", token((Principal) () -> "alice"), "alice"),
				arguments("number", token(42L), "42"), arguments("UUID", token(ID), ID.toString()),
				arguments("record", token(new Login("alice", 1)), ""),
				arguments("object without toString", token(new Object()), ""),
				arguments("map of claims", token(new HashMap<>(attributes)), ""), arguments("nothing", token(null), ""),
				arguments("record in a token that names it", new NamingToken(new Login("alice", 1)), "alice"),
				arguments("anonymous",
						new AnonymousAuthenticationToken("key", "anonymousUser",
								AuthorityUtils.createAuthorityList("ROLE_ANONYMOUS")),
						"anonymousUser"),
				arguments("no token at all", (Principal) () -> "alice", "alice"));
	}

	private static AbstractAuthenticationToken token(@Nullable Object principal) {
		return new UsernamePasswordAuthenticationToken(principal, "", List.of());
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("users")
	void theNameOfAUserIsNeverTheTextOfAnObject(String kind, Principal user, String name) {
		assertThat(Users.name(user)).isEqualTo(Optional.of(name).filter((text) -> !text.isEmpty()));
	}

	@Test
	void aTypeWithoutANameIsLoggedOnceWithTheCure() {
		try (CapturedLog log = new CapturedLog(Level.WARN)) {
			Users.name(token(new LoggedOnce(1)));
			Users.name(token(new LoggedOnce(2)));
			assertThat(log.events()).extracting(ILoggingEvent::getFormattedMessage)
				.singleElement()
				.asString()
				.contains(LoggedOnce.class.getName(), "key: bean:", "on-missing-key")
				.doesNotContain("issued=");
		}
	}

	private record Login(String name, long issued) {
	}

	private record LoggedOnce(long issued) {
	}

	private static final class NamingToken extends UsernamePasswordAuthenticationToken {

		private static final long serialVersionUID = 1L;

		private final transient Login login;

		NamingToken(Login login) {
			super(login, "", List.of());
			this.login = login;
		}

		@Override
		public String getName() {
			return this.login.name();
		}

	}

}
