package dev.ratelimit.web.servlet;

import java.security.Principal;
import java.util.Optional;

import dev.ratelimit.web.claim.Claims;
import dev.ratelimit.web.key.ClientAddresses;
import dev.ratelimit.web.key.QueryText;
import dev.ratelimit.web.key.RequestFacts;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;

/**
 * The facts of a servlet request, each read when it is used.
 */
public final class ServletRequestFacts implements RequestFacts {

	private final HttpServletRequest request;

	private final String path;

	private final ClientAddresses addresses;

	/**
	 * Create the facts.
	 * @param request the request
	 * @param path its path within the application
	 * @param addresses finds the client's address
	 */
	public ServletRequestFacts(HttpServletRequest request, String path, ClientAddresses addresses) {
		this.request = request;
		this.path = path;
		this.addresses = addresses;
	}

	@Override
	public String method() {
		return this.request.getMethod();
	}

	@Override
	public String path() {
		return this.path;
	}

	@Override
	public String address() {
		return this.addresses.of(new ServletPeer(this.request));
	}

	@Override
	public Optional<String> header(String name) {
		return present(this.request.getHeader(name));
	}

	@Override
	public Optional<String> cookie(String name) {
		Cookie[] cookies = this.request.getCookies();
		if (cookies != null) {
			for (Cookie cookie : cookies) {
				if (cookie.getName().equals(name)) {
					return present(cookie.getValue());
				}
			}
		}
		return Optional.empty();
	}

	/** Not {@code getParameter}, which would read a form from the body. */
	@Override
	public Optional<String> query(String name) {
		String query = this.request.getQueryString();
		return (query != null) ? QueryText.find(query, name) : Optional.empty();
	}

	@Override
	public Optional<String> principal() {
		Principal principal = this.request.getUserPrincipal();
		return (principal != null) ? present(principal.getName()) : Optional.empty();
	}

	@Override
	public Optional<String> claim(String name) {
		return Claims.find(this.request.getUserPrincipal(), name);
	}

	@Override
	public Optional<String> session() {
		HttpSession session = this.request.getSession(false);
		return (session != null) ? Optional.of(session.getId()) : Optional.empty();
	}

	private static Optional<String> present(@Nullable String value) {
		return (value == null || value.isBlank()) ? Optional.empty() : Optional.of(value);
	}

}
