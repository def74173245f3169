package dev.ratelimit.integration.keys;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.RecordingMemoryStore;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationToken;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.web.filter.OncePerRequestFilter;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Users are counted by their names behind Spring Security, whatever a name looks like and
 * whatever authenticated them. Names may hold anything: they are typed by people and
 * stored by other systems.
 */
class PrincipalKeysTests {

	private static App app;

	@BeforeAll
	static void start() {
		app = App.startSecured("""
				ratelimit.rules:
				  by-user: {paths: '/product/*', key: principal, thresholds: 1/1d}
				""", Setup.class);
	}

	@AfterAll
	static void stop() {
		app.close();
	}

	@BeforeEach
	void resetStore() {
		app.bean(RecordingMemoryStore.class).reset();
	}

	@Test
	@DisplayName("3.2 Each user has a bucket of its own")
	void eachNameHasABucketOfItsOwn() {
		List<String> names = List.of("a", "A", "a:b", "B", "b", "{}x}", "x".repeat(3000), "x".repeat(2999) + "y",
				"a\r\n2026-11-20 INFO fake line", "a\u0000", "\u001b[2J", "${jndi:ldap://x}", "%n%s%x", "1.2.3.4",
				"anonymousUser", "\u00e9", "e\u0301", "\ud83d\ude00", "number:1");
		Set<String> buckets = new HashSet<>();
		for (String name : names) {
			assertThat(status(name, "session")).as(name).isEqualTo(200);
			assertThat(status(name, "session")).as(name).isEqualTo(429);
			buckets.addAll(app.bean(RecordingMemoryStore.class).takeAcquired());
		}
		assertThat(buckets).hasSameSizeAs(names).allMatch((bucket) -> bucket.matches("by-user h[A-Za-z0-9_-]{22}"));
	}

	@Test
	void theSameUserBySessionAndByTokenIsOne() {
		assertThat(status("alice", "session")).isEqualTo(200);
		assertThat(status("alice", "token")).isEqualTo(429);
	}

	@Test
	void aRequestWithoutAUserNameIsCountedByAddress() {
		assertThat(app.get("/product/1").statusCode()).isEqualTo(200);
		assertThat(status(" ", "session")).isEqualTo(429);
		assertThat(app.bean(RecordingMemoryStore.class).takeAcquired()).containsOnly("by-user i127.0.0.1").hasSize(2);
	}

	/**
	 * Its text has the time of the login in it, and each login would begin a new limit.
	 */
	@Test
	void aUserWithoutANameIsCountedByAddress() {
		assertThat(status("alice", "object")).isEqualTo(200);
		assertThat(status("alice", "object")).isEqualTo(429);
		assertThat(app.bean(RecordingMemoryStore.class).takeAcquired()).containsOnly("by-user i127.0.0.1").hasSize(2);
	}

	private static int status(String name, String how) {
		String encoded = Base64.getEncoder().encodeToString(name.getBytes(StandardCharsets.UTF_8));
		return app.get("/product/1", "X-Name", encoded, "X-How", how).statusCode();
	}

	@Configuration(proxyBeanMethods = false)
	static class Setup {

		@Bean
		SecurityFilterChain chain(HttpSecurity http) {
			return http.addFilterBefore(new AnyName(), AuthorizationFilter.class)
				.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
				.build();
		}

		@Bean
		RecordingMemoryStore rateLimitStore() {
			return new RecordingMemoryStore(new MovableClock());
		}

	}

	/** A principal as applications make them from their own tokens. */
	private record Login(String sub, long iat) {

		private static final AtomicLong TIME = new AtomicLong();

	}

	/** Accepts any name that a request sends. */
	static class AnyName extends OncePerRequestFilter {

		@Override
		protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
				throws ServletException, IOException {
			String encoded = request.getHeader("X-Name");
			if (encoded != null) {
				String name = new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
				SecurityContextHolder.getContext().setAuthentication(user(name, request.getHeader("X-How")));
			}
			chain.doFilter(request, response);
		}

		private static Authentication user(String name, String how) {
			if ("token".equals(how)) {
				Jwt token = Jwt.withTokenValue("token").header("alg", "none").subject(name).build();
				return new JwtAuthenticationToken(token, List.of());
			}
			if ("object".equals(how)) {
				Login login = new Login(name, Login.TIME.incrementAndGet());
				return UsernamePasswordAuthenticationToken.authenticated(login, "", List.of());
			}
			return UsernamePasswordAuthenticationToken.authenticated(new User(name, "", List.of()), "", List.of());
		}

	}

}
