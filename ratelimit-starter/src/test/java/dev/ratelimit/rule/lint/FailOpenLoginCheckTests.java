package dev.ratelimit.rule.lint;

import dev.ratelimit.rule.OnStoreFailure;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class FailOpenLoginCheckTests {

	private static RLConfigBuilder open(String id) {
		return RLConfig.builder(id).onStoreFailure(OnStoreFailure.ALLOW).thresholds("5/1m");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/login", "/v1/Login", "/users/{id}/password", "/reset-password", "/oauth2/token",
			"/token-bucket-token", "/sign-in", "/user/sign_in", "/api/auth/**", "/mfa/verify", "/login.html" })
	void aPathWhereSecretsAreCheckedIsReported(String path) {
		assertThat(FailOpenLoginCheck.warning(open("a").paths(path).build())).get()
			.asString()
			.startsWith("Rule 'a' has on-store-failure allow, and " + path)
			.contains("while the store cannot answer, they can be guessed without a limit",
					"Set on-store-failure to local");
	}

	@Test
	void anIdThatNamesSuchAPathIsReported() {
		assertThat(FailOpenLoginCheck.warning(open("partner-login").build())).get()
			.asString()
			.contains("and its id looks like a place where secrets are checked");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/author", "/v1/product", "/{token}/items", "/pinboard", "/token-bucket/tiers",
			"/blog-index", "/signing" })
	void otherPathsAreNotReported(String path) {
		assertThat(FailOpenLoginCheck.warning(open("a").paths(path).build())).isEmpty();
	}

	@Test
	void aRuleThatFailsClosedOrIsInShadowIsNotReported() {
		assertThat(FailOpenLoginCheck.warning(open("login").onStoreFailure(OnStoreFailure.LOCAL).build())).isEmpty();
		assertThat(FailOpenLoginCheck.warning(open("login").onStoreFailure(OnStoreFailure.DENY).build())).isEmpty();
		assertThat(FailOpenLoginCheck.warning(open("login").shadow(true).build())).isEmpty();
	}

}
