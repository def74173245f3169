package dev.ratelimit.web.servlet;

import java.security.Principal;
import java.util.Optional;

import dev.ratelimit.web.RequestNeeds;
import dev.ratelimit.web.claim.Claims;
import dev.ratelimit.web.claim.Users;
import dev.ratelimit.web.key.ClientAddresses;
import dev.ratelimit.web.key.QueryText;
import dev.ratelimit.web.key.RequestFacts;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;

/**
 * The facts of a servlet request. The user and the session are collected before, where
 * rules need them of every request; all others are read when they are used. Tested by
 * {@code KeysTests}.
 */
public final class ServletRequestFacts implements RequestFacts {

	private final HttpServletRequest request;

	private final String path;

	private final ClientAddresses addresses;

	private final RequestNeeds.Identity collected;

	private final @Nullable Principal user;

	private final Optional<String> session;

	/** Several rules may count by it. */
	private @Nullable String address;

	/**
	 * Create the facts, and collect none of them.
	 * @param request the request
	 * @param path its path within the application
	 * @param addresses finds the client's address
	 */
	public ServletRequestFacts(HttpServletRequest request, String path, ClientAddresses addresses) {
		this(request, path, addresses, RequestNeeds.NONE);
	}

	/** Collect the facts that rules need of every request. */
	ServletRequestFacts(HttpServletRequest request, String path, ClientAddresses addresses, RequestNeeds needs) {
		this.request = request;
		this.path = path;
		this.addresses = addresses;
		this.collected = needs.reads();
		this.user = this.collected.user() ? request.getUserPrincipal() : null;
		this.session = this.collected.session() ? session(request) : Optional.empty();
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
		String known = this.address;
		if (known == null) {
			known = this.addresses.of(new ServletPeer(this.request));
			this.address = known;
		}
		return known;
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
		return Users.name(user());
	}

	@Override
	public Optional<String> claim(String name) {
		return Claims.find(user(), name);
	}

	private @Nullable Principal user() {
		return this.collected.user() ? this.user : this.request.getUserPrincipal();
	}

	@Override
	public Optional<String> session() {
		return this.collected.session() ? this.session : session(this.request);
	}

	private static Optional<String> session(HttpServletRequest request) {
		HttpSession session = request.getSession(false);
		return (session != null) ? Optional.of(session.getId()) : Optional.empty();
	}

	private static Optional<String> present(@Nullable String value) {
		return (value == null || value.isBlank()) ? Optional.empty() : Optional.of(value);
	}

}
