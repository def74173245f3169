package dev.ratelimit.rule;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CoveredRequestsTests {

	private static CoveredRequests requests(String... methods) {
		return RLConfig.builder("a").methods(methods).paths("/x").thresholds("1/s").build().requests();
	}

	@Test
	void aRepeatedMethodIsTheSameMethod() {
		assertThat(requests("PUT", "GET", "PUT").methods()).containsExactly("PUT", "GET");
	}

	@Test
	void getCoversHead() {
		assertThat(List.of("GET", "HEAD")).allMatch(requests("GET")::coversMethod);
		assertThat(requests("GET").coversMethod("POST")).isFalse();
		assertThat(requests("HEAD").coversMethod("GET")).isFalse();
	}

	@Test
	void withoutMethodsEachIsCovered() {
		assertThat(requests().coversMethod("PROPFIND")).isTrue();
	}

}
