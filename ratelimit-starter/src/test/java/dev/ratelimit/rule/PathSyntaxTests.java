package dev.ratelimit.rule;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

class PathSyntaxTests {

	@ParameterizedTest
	@ValueSource(strings = { "/", "/**", "/login", "/v1/*/x", "/v1/{id}/**", "/v1/{*rest}", "/v1/{id:[0-9]}",
			"/v1/{id:[0-9]{1,9}}", "/v1/{id:[^a]{3}}", "/v1/{id:\\d{1,9}}", "/v1/{id:[\\w-]{0,64}}/{x}", "/größe/{id}",
			"/a.b/{x}-{y}", "/*.txt", "/*-*", "/{x}-{id:[0-9]{1,9}}.txt", "/*/*/*.txt", "/**/x",
			"/{y:\\d{4}}-{m:\\d{2}}-{d:[0-9]{1,2}}.x", "/{name}-{uuid:[0-9a-f-]{36}}.pdf", "/odata/{dollar:[$]}batch",
			"/x.{type}", "/a+b" })
	void ordinaryPatternsAreAllowed(String path) {
		assertThatCode(() -> PathSyntax.require(path)).doesNotThrowAnyException();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/reports/*-*-*", "/reports/*-*.txt", "/x/{a}-{b}-{c}", "/x/{a}-{b}.pdf", "/**.txt",
			"/{a:[^x]{0,9999}}-{b:[^x]{165}}.y", "/{x}-{b:[\\w-]{1,64}}-{c:[\\w-]{1,64}}.pdf",
			"/{a:[a-]{1,64}}{b:[a-]{1,64}}{c:[a-]{1,64}}{d:[a-]{1,64}}.x" })
	void segmentsThatAClientCouldMakeSlowAreRefused(String path) {
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> PathSyntax.require(path))
			.withMessageContaining("several wildcards in one segment");
	}

	@ParameterizedTest
	@ValueSource(strings = { "^(/login|/api/auth/login).*", "/^(/login|/api/auth/login).*", "^/login$", "/login$",
			"/(login|logout)", "/login|/logout", "/orders/\\d{1,9}", "/orders/[0-9]", "/api/.*", "/api/.+", "/login.*",
			".*", "/{id:[0-9]}/(a)" })
	void regularExpressionsAreRefusedWithPatterns(String path) {
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> PathSyntax.require(path))
			.withMessageContaining("looks like a regular expression")
			.satisfies((ex) -> assertThat(ex.cure())
				.startsWith("Write one pattern per path, such as /login, /api/auth/login/**. "));
	}

	@Test
	void variablesAreFoundByName() {
		assertThat(PathSyntax.variables("/{a}/x-{b:[0-9]{1,9}}/{*rest}")).containsExactly("a", "b", "rest");
	}

	@Property
	void anyTextIsAllowedOrRefused(@ForAll String path) {
		Throwable thrown = catchThrowable(() -> PathSyntax.require("/" + path));
		if (thrown != null) {
			assertThat(thrown).isInstanceOf(InvalidRuleException.class);
		}
	}

}
