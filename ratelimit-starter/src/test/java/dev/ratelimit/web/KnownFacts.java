package dev.ratelimit.web;

import java.util.Map;
import java.util.Optional;

import dev.ratelimit.web.key.RequestFacts;

/**
 * The facts of a request without a container.
 *
 * @param method its method
 * @param path its path
 * @param headers its headers
 */
record KnownFacts(String method, String path, Map<String, String> headers) implements RequestFacts {

	@Override
	public String address() {
		return "192.0.2.1";
	}

	@Override
	public Optional<String> header(String name) {
		return Optional.ofNullable(this.headers.get(name));
	}

	@Override
	public Optional<String> cookie(String name) {
		return Optional.empty();
	}

	@Override
	public Optional<String> query(String name) {
		return Optional.empty();
	}

	@Override
	public Optional<String> principal() {
		return Optional.empty();
	}

	@Override
	public Optional<String> claim(String name) {
		return Optional.empty();
	}

	@Override
	public Optional<String> session() {
		return Optional.empty();
	}

}
