package dev.ratelimit.backtest.replay;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

import dev.ratelimit.backtest.log.LogLine;
import dev.ratelimit.web.key.ClientAddresses;
import dev.ratelimit.web.key.Peer;
import dev.ratelimit.web.key.QueryText;
import dev.ratelimit.web.key.RequestFacts;

/**
 * The facts of a request that a line of a log contains.
 *
 * @param line the line
 * @param path its path within the application
 * @param addresses determines the client's address
 * @param requestedFacts records the requested facts
 */
record LoggedRequest(LogLine line, String path, ClientAddresses addresses,
		AskedFacts requestedFacts) implements RequestFacts {

	@Override
	public String method() {
		return this.line.method();
	}

	@Override
	public String address() {
		return this.addresses.of(new LoggedPeer(this));
	}

	@Override
	public Optional<String> header(String name) {
		return this.requestedFacts.note("header " + name, find(name));
	}

	private Optional<String> find(String header) {
		return present(Optional.ofNullable(this.line.headers().get(header.toLowerCase(Locale.ROOT))));
	}

	@Override
	public Optional<String> cookie(String name) {
		return this.requestedFacts.note("cookie " + name, find("cookie").flatMap((cookies) -> cookie(cookies, name)));
	}

	private static Optional<String> cookie(String cookies, String name) {
		return present(List.of(cookies.split(";", -1))
			.stream()
			.map(String::strip)
			.filter((cookie) -> cookie.startsWith(name + "="))
			.map((cookie) -> cookie.substring(name.length() + 1))
			.findFirst());
	}

	@Override
	public Optional<String> query(String name) {
		return this.line.query().flatMap((query) -> QueryText.find(query, name));
	}

	@Override
	public Optional<String> principal() {
		return this.requestedFacts.note("user", present(this.line.user()));
	}

	/** No log contains claims, and rules that request one are not replayed. */
	@Override
	public Optional<String> claim(String name) {
		return Optional.empty();
	}

	/** No log contains sessions, and rules that request one are not replayed. */
	@Override
	public Optional<String> session() {
		return Optional.empty();
	}

	private static Optional<String> present(Optional<String> value) {
		return value.filter((text) -> !text.isBlank());
	}

	/**
	 * The origin of a request: a text that is no address is the client's, as far as the
	 * log shows.
	 *
	 * @param request the request
	 */
	private record LoggedPeer(LoggedRequest request) implements Peer {

		@Override
		public Optional<String> remote() {
			return Optional.of(socket());
		}

		@Override
		public String socket() {
			return this.request.line().address();
		}

		@Override
		public boolean has(String name) {
			return !lines(name).isEmpty();
		}

		@Override
		public List<String> lines(String name) {
			return this.request.header(name).stream().toList();
		}

	}

}
