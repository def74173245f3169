package dev.ratelimit.integration.support;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Generates requests: the plain request for a handler, or one that is misspelt once or a
 * few times in ways that some servers, filters or frameworks accept. The same seed
 * generates the same requests.
 */
public final class RequestTargets {

	public static final List<String> PLAIN = List.of("GET /api/products/1", "GET /api/products/1",
			"PUT /api/products/1", "POST /login", "POST /login", "GET /api/products", "GET /api/async/1",
			"GET /api/deferred", "GET /api/senderr", "GET /api/fwd");

	private static final List<String> METHODS = List.of("HEAD", "OPTIONS", "GET", "POST", "PUT", "DELETE", "PATCH",
			"get", "TRACE", "PROPFIND");

	private static final List<String> INSERTED = List.of(";a=b", ";", ";jsessionid=0", "/", "//", "/./", "/../",
			"/x/..", "/.", "/..", ";/", "/;", "/..;/", "%2F", "%2f", "%5C", "\\", "%2e", "%2e%2e", "%00", "%09", "%20",
			"%0a", "%25", "%3b", "%3f", "%23", "#", "%c0%af", "%ff", "%E2%80%8B", "\u00e9", ".json", ".", "*", "**",
			"{", "+", "%C4%B0", "\u212a", "1", "/public/..", "/public/..;");

	private static final List<String> QUERIES = List.of("", "", "", "?", "?x=1", "?_method=PUT", "?x=/login", "?;",
			"??");

	private static final List<String> HEADERS = List.of("X-HTTP-Method-Override: PUT", "X-Method-Override: DELETE",
			"X-Original-URL: /open", "X-Rewrite-URL: /open", "X-Forwarded-Prefix: /x", "X-Forwarded-For: 9.9.9.9",
			"X-Forwarded-Path: /open", "Forwarded: for=9.9.9.9;host=x;proto=https");

	private final SplittableRandom random;

	private final List<String> plain;

	/**
	 * Create a source of requests.
	 * @param seed the seed of the random choices
	 * @param plain method and path of the plain requests
	 */
	public RequestTargets(long seed, List<String> plain) {
		this.random = new SplittableRandom(seed);
		this.plain = plain;
	}

	public Request next() {
		String[] plain = one(this.plain).split(" ", 2);
		String method = chance(5) ? one(METHODS) : plain[0];
		String path = plain[1];
		for (int changes = this.random.nextInt(4); changes > 0; changes--) {
			path = changed(path);
		}
		String target = (chance(20) ? one(List.of("http://localhost", "HTTP://localhost:80", "http://evil")) : "")
				+ path + one(QUERIES);
		StringBuilder text = new StringBuilder(method).append(' ')
			.append(target)
			.append(" HTTP/1.1\r\nHost: localhost\r\n");
		if (!chance(4)) {
			text.append("X-Tenant-Id: t").append(this.random.nextInt(3)).append("\r\n");
		}
		if (chance(4)) {
			text.append(one(HEADERS)).append("\r\n");
		}
		if (chance(2) && (method.equals("POST") || method.equals("PUT"))) {
			text.append("Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 11\r\n\r\n_method=PUT");
		}
		else {
			text.append("Content-Length: 0\r\n\r\n");
		}
		return new Request(text.toString(), method.equals("HEAD"));
	}

	private String changed(String path) {
		int place = this.random.nextInt(path.length());
		String before = path.substring(0, place);
		String after = path.substring(place + 1);
		char c = path.charAt(place);
		return switch (this.random.nextInt(6)) {
			case 0 -> before + percent(c) + after;
			case 1 -> before + percent(c).toLowerCase(Locale.ROOT) + after;
			case 2 -> before + swapped(c) + after;
			case 3 -> path + "/";
			case 4 -> before + one(INSERTED) + after;
			default -> path.substring(0, place + 1) + one(INSERTED) + after;
		};
	}

	private static String percent(char c) {
		StringBuilder escaped = new StringBuilder();
		for (byte one : Character.toString(c).getBytes(StandardCharsets.UTF_8)) {
			escaped.append('%').append(HexFormat.of().withUpperCase().toHexDigits(one));
		}
		return escaped.toString();
	}

	private static char swapped(char c) {
		return Character.isUpperCase(c) ? Character.toLowerCase(c) : Character.toUpperCase(c);
	}

	private boolean chance(int oneIn) {
		return this.random.nextInt(oneIn) == 0;
	}

	private String one(List<String> choices) {
		return choices.get(this.random.nextInt(choices.size()));
	}

	/**
	 * A request, as it goes over the wire.
	 *
	 * @param text all of it
	 * @param isHead whether its response has no body
	 */
	public record Request(String text, boolean isHead) {
	}

}
