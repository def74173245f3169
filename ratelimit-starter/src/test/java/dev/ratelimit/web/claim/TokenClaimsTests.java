package dev.ratelimit.web.claim;

import java.math.BigInteger;
import java.security.Principal;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.OAuth2AccessToken.TokenType;
import org.springframework.security.oauth2.core.oidc.OidcIdToken;
import org.springframework.security.oauth2.core.oidc.user.DefaultOidcUser;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthentication;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationToken;
import org.springframework.security.oauth2.server.resource.introspection.OAuth2IntrospectionAuthenticatedPrincipal;

import static org.assertj.core.api.Assertions.assertThat;

class TokenClaimsTests {

	private static final Jwt TOKEN = Jwt.withTokenValue("token").header("alg", "none").claim("tenant", "t1").build();

	static Stream<Authentication> users() {
		OAuth2AccessToken opaque = new OAuth2AccessToken(TokenType.BEARER, "token", null, null);
		OidcIdToken idToken = new OidcIdToken("token", null, null, Map.of("sub", "alice", "tenant", "t1"));
		return Stream.of(new JwtAuthenticationToken(TOKEN, List.of()),
				authenticated(new TestingAuthenticationToken("a principal of the application", TOKEN)),
				new BearerTokenAuthentication(
						new OAuth2IntrospectionAuthenticatedPrincipal(Map.of("tenant", "t1"), List.of()), opaque,
						List.of()),
				authenticated(new TestingAuthenticationToken(new DefaultOidcUser(List.of(), idToken), "")));
	}

	private static Authentication authenticated(TestingAuthenticationToken token) {
		token.setAuthenticated(true);
		return token;
	}

	@ParameterizedTest
	@MethodSource("users")
	void aClaimIsFoundWhateverTheKindOfToken(Authentication user) {
		assertThat(Claims.find(user, "tenant")).contains("t1");
		assertThat(Claims.find(user, "Tenant")).isEmpty();
	}

	@Test
	void aUserNotAuthenticatedByATokenHasNoClaims() {
		Authentication unverified = new TestingAuthenticationToken(TOKEN, TOKEN);
		unverified.setAuthenticated(false);
		Authentication password = authenticated(new TestingAuthenticationToken("alice", "secret"));
		assertThat(Claims.find(unverified, "tenant")).isEmpty();
		assertThat(Claims.find(password, "tenant")).isEmpty();
		assertThat(Claims.find((Principal) () -> "alice", "tenant")).isEmpty();
		assertThat(Claims.find(null, "tenant")).isEmpty();
	}

	@Test
	void aTextIsItselfAndANumberIsNoText() {
		assertThat(text("t1")).contains("t1");
		assertThat(text("42")).contains("42");
		assertThat(text(42L)).contains("number:42").isEqualTo(text(42)).isEqualTo(text(BigInteger.valueOf(42)));
		assertThat(text(true)).contains("boolean:true");
		assertThat(text("number:42")).contains("text:number:42");
		assertThat(text("text:number:42")).contains("text:text:number:42");
	}

	@Test
	void aValueThatDoesNotIdentifyUsersIsMissing() {
		Stream.of("", " ", 1.5, 1e30, List.of("t1"), Map.of("id", "t1"), Instant.EPOCH)
			.forEach((value) -> assertThat(text(value)).as("%s", value).isEmpty());
		assertThat(text(null)).isEmpty();
	}

	@Property
	void noTwoValuesShareAText(@ForAll Set<String> texts, @ForAll Set<Long> numbers) {
		Map<Object, Optional<String>> all = new HashMap<>();
		Stream.of("", "text:", "number:", "boolean:", "text:number:")
			.forEach((prefix) -> Stream.concat(texts.stream(), numbers.stream().map(Object::toString))
				.map((text) -> prefix + text)
				.filter((text) -> !text.isBlank())
				.forEach((text) -> all.put(text, text(text))));
		numbers.forEach((number) -> all.put(number, text(number)));
		assertThat(new HashSet<>(all.values())).hasSameSizeAs(all.keySet());
	}

	private static Optional<String> text(@Nullable Object value) {
		return TokenClaims.text(value);
	}

}
