package dev.ratelimit.web.key;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.ratelimit.limiter.IpAddress;
import dev.ratelimit.limiter.IpRange;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;

/**
 * Finds the client's address: the peer's, or, only where the peer is a trusted proxy, the
 * right-most hop of the one configured header that is not trusted. A hop that is no
 * address ends the walk at the last trusted one. Names are never looked up.
 */
public final class ClientAddresses {

	private static final Pattern BRACKETED = Pattern.compile("\\[([^\\]]*)](?::[0-9]{1,5})?");

	private static final Pattern IPV4_PORT = Pattern.compile("([0-9.]+):[0-9]{1,5}");

	private final List<IpRange> trusted;

	private final boolean rfc7239;

	private final Optional<IgnoredHeaders> ignored;

	/**
	 * Create a finder.
	 * @param trusted the proxies whose header is believed; none for the peer's address
	 * always
	 * @param rfc7239 whether the header is {@code Forwarded} instead of
	 * {@code X-Forwarded-For}
	 */
	public ClientAddresses(List<IpRange> trusted, boolean rfc7239) {
		this(trusted, rfc7239, Optional.empty());
	}

	private ClientAddresses(List<IpRange> trusted, boolean rfc7239, Optional<IgnoredHeaders> ignored) {
		this.trusted = List.copyOf(trusted);
		this.rfc7239 = rfc7239;
		this.ignored = ignored;
	}

	/**
	 * A finder that warns once if forwarding headers arrive although it trusts nobody.
	 * @return the finder
	 */
	public ClientAddresses warning() {
		return new ClientAddresses(this.trusted, this.rfc7239,
				this.trusted.isEmpty() ? Optional.of(new IgnoredHeaders()) : Optional.empty());
	}

	/**
	 * Find the address of a request.
	 * @param request the request, however it is wrapped
	 * @return an address literal, or the container's text where that is none; empty where
	 * the container has lost the peer
	 */
	public String of(HttpServletRequest request) {
		if (this.ignored.isPresent()) {
			this.ignored.get().look(request);
		}
		return of(Objects.requireNonNullElse(unwrap(request).getRemoteAddr(), ""), () -> forwardedLines(request));
	}

	/**
	 * Find the address of a request that came over a peer.
	 * @param peer the address of the peer
	 * @param forwardedLines reads the lines of the {@link #header() header}, if the peer
	 * is trusted
	 * @return an address literal, or the peer's text where that is none
	 */
	public String of(String peer, Supplier<List<String>> forwardedLines) {
		if (this.trusted.isEmpty() || !isTrusted(IpAddress.parse(peer))) {
			return peer;
		}
		String client = peer;
		List<String> hops = hops(forwardedLines.get());
		for (int i = hops.size() - 1; i >= 0; i--) {
			String hop = literal(hops.get(i).strip());
			Optional<IpAddress> address = IpAddress.parse(hop);
			if (address.isEmpty()) {
				return client;
			}
			client = hop;
			if (!isTrusted(address)) {
				return client;
			}
		}
		return client;
	}

	/**
	 * A wrapper may return what the client wrote: forwarding headers are read here only.
	 */
	private static ServletRequest unwrap(ServletRequest request) {
		ServletRequest unwrapped = request;
		while (unwrapped instanceof ServletRequestWrapper wrapper) {
			unwrapped = wrapper.getRequest();
		}
		return unwrapped;
	}

	private boolean isTrusted(Optional<IpAddress> address) {
		return address.isPresent() && this.trusted.stream().anyMatch((range) -> range.contains(address.get()));
	}

	/**
	 * The header in which trusted proxies name the client.
	 * @return its name
	 */
	public String header() {
		return this.rfc7239 ? "Forwarded" : "X-Forwarded-For";
	}

	private List<String> forwardedLines(HttpServletRequest request) {
		HttpServletRequest unwrapped = (unwrap(request) instanceof HttpServletRequest http) ? http : request;
		return Collections.list(unwrapped.getHeaders(header()));
	}

	private List<String> hops(List<String> lines) {
		List<String> hops = new ArrayList<>();
		for (String line : lines) {
			hops.addAll(this.rfc7239 ? ForwardedLine.hops(line) : List.of(line.split(",", -1)));
		}
		return hops;
	}

	private static String literal(String hop) {
		Matcher bracketed = BRACKETED.matcher(hop);
		if (bracketed.matches()) {
			return bracketed.group(1);
		}
		Matcher port = IPV4_PORT.matcher(hop);
		return port.matches() ? port.group(1) : hop;
	}

}
