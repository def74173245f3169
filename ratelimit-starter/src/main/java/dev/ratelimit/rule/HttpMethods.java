package dev.ratelimit.rule;

import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The methods of IANA's HTTP Method Registry, as of June 2026, without those that it
 * reserves. Names of methods are case-sensitive.
 */
public final class HttpMethods {

	private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS", "PROPFIND", "QUERY", "REPORT", "SEARCH",
			"TRACE");

	private static final Set<String> UNSAFE = Set.of("ACL", "BASELINE-CONTROL", "BIND", "CHECKIN", "CHECKOUT",
			"CONNECT", "COPY", "DELETE", "LABEL", "LINK", "LOCK", "MERGE", "MKACTIVITY", "MKCALENDAR", "MKCOL",
			"MKREDIRECTREF", "MKWORKSPACE", "MOVE", "ORDERPATCH", "PATCH", "POST", "PROPPATCH", "PUT", "REBIND",
			"UNBIND", "UNCHECKOUT", "UNLINK", "UNLOCK", "UPDATE", "UPDATEREDIRECTREF", "VERSION-CONTROL");

	/** All of them. */
	public static final Set<String> REGISTERED = Stream.concat(SAFE.stream(), UNSAFE.stream())
		.collect(Collectors.toUnmodifiableSet());

	private HttpMethods() {
	}

	/**
	 * Whether a method is registered, and is not a safe one.
	 * @param method the method
	 * @return whether a request with it may change something
	 */
	public static boolean isUnsafe(String method) {
		return UNSAFE.contains(method);
	}

	/**
	 * The method that a text names.
	 * @param text the name of a registered method in either case, or any other method
	 * @return the registered method, or the text
	 */
	public static String named(String text) {
		String upperCase = text.toUpperCase(Locale.ROOT);
		return REGISTERED.contains(upperCase) ? upperCase : text;
	}

}
