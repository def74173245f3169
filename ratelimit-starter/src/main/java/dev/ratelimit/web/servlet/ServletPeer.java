package dev.ratelimit.web.servlet;

import java.util.Collections;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.web.key.ClientAddresses;
import dev.ratelimit.web.key.Peer;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;

/**
 * Reads the request of the container: a wrapper may return text that the client wrote.
 * Tested by {@code ClientAddressesTests}.
 *
 * @param request the request, however it is wrapped
 */
record ServletPeer(HttpServletRequest request) implements Peer {

	@Override
	public Optional<String> remote() {
		return Optional.ofNullable(container().getRemoteAddr());
	}

	@Override
	public String socket() {
		return (container().getAttribute(ClientAddresses.PEER_ATTRIBUTE) instanceof String socket) ? socket : "";
	}

	@Override
	public boolean has(String name) {
		return http().getHeader(name) != null;
	}

	@Override
	public List<String> lines(String name) {
		return Collections.list(http().getHeaders(name));
	}

	private HttpServletRequest http() {
		return (container() instanceof HttpServletRequest http) ? http : this.request;
	}

	private ServletRequest container() {
		ServletRequest unwrapped = this.request;
		while (unwrapped instanceof ServletRequestWrapper wrapper) {
			unwrapped = wrapper.getRequest();
		}
		return unwrapped;
	}

}
