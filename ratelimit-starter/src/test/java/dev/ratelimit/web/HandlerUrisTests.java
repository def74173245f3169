package dev.ratelimit.web;

import java.util.List;
import java.util.Set;

import dev.ratelimit.web.HandlerUris.HandlerUri;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;

class HandlerUrisTests {

	private final HandlerUris uris = new HandlerUris(List.of(uri("/orders/{id}", "GET"), uri("/orders/{id}", "PUT"),
			uri("/orders/open", "GET"), uri("/{tenant}/orders"), uri("/**", "POST"), uri("/orders/{id}", "GET"),
			uri("/{tenant}/a/b"), uri("/orders/{id}/{part}")));

	private static HandlerUri uri(String pattern, String... methods) {
		return new HandlerUri(PathPatternParser.defaultInstance.parse(pattern), Set.of(methods));
	}

	@ParameterizedTest
	@CsvSource({ "GET, /orders/7, /orders/{id}", "HEAD, /orders/7, /orders/{id}", "GET, /orders/open, /orders/open",
			"PUT, /orders/open, /orders/{id}", "DELETE, /a/orders, /{tenant}/orders", "DELETE, /orders/7, ",
			"POST, /orders/7, /**", "GET, /, ", "GET, /%6Frders/7, /orders/{id}", "GET, /orders/a/b, /{tenant}/a/b",
			"GET, /orders/b/a, /orders/{id}/{part}" })
	void theMostSpecialPatternThatTakesTheMethodIsFound(String method, String path, String pattern) {
		assertThat(this.uris.find(PathContainer.parsePath(path), method).orElse(null)).isEqualTo(pattern);
	}

}
