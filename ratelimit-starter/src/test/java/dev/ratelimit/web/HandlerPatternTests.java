package dev.ratelimit.web;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The pattern of a handler, read as the paths it stands for.
 */
class HandlerPatternTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			/login                        | /login                  | true
			/login                        | /*                      | true
			/login                        | /Login                  | false
			/login/                       | /login                  | false
			/products/{id}                | /products/*             | true
			/products/{id}                | /products/{any}         | true
			/products/{id}                | /products/5             | false
			/products/{id}                | /products/{id:[0-9]{9}} | false
			/products/{id:[^/]{1,9}}      | /products/*             | true
			/products/{id}/x              | /products/*             | false
			/products/{id}.json           | /products/*             | true
			/files/**                     | /files/*                | false
			/files/**                     | /files/**               | true
			/files/{*rest}                | /files/*                | false
			/files/{*rest}                | /files/**               | true
			/**                           | /*                      | false
			/**                           | /**                     | true
			/caf%C3%A9                    | /café                   | false
			""")
	void isCoveredByARuleThatMatchesAllItsPaths(String handler, String rule, boolean covered) {
		PathPattern pattern = new PathPatternParser().parse(rule);
		assertThat(HandlerPattern.paths(handler).stream().allMatch(pattern::matches)).isEqualTo(covered);
	}

}
