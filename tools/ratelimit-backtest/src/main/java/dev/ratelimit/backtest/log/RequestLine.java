package dev.ratelimit.backtest.log;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The first line of a request.
 *
 * @param method the method
 * @param path the path, still encoded
 * @param query the text behind the question mark
 */
record RequestLine(String method, String path, Optional<String> query) {

	private static final Pattern METHOD = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,40}");

	/**
	 * A line that is not a request, such as a handshake on the wrong port, never reached
	 * an application.
	 */
	static RequestLine parse(String line) {
		int first = line.indexOf(' ');
		int last = line.lastIndexOf(' ');
		if (first <= 0) {
			throw new BrokenLineException("has no request");
		}
		String target = (last > first && line.startsWith("HTTP/", last + 1)) ? line.substring(first + 1, last)
				: line.substring(first + 1);
		return of(line.substring(0, first), target);
	}

	static RequestLine of(String method, String target) {
		if (!METHOD.matcher(method).matches() || target.isEmpty() || target.indexOf(' ') >= 0) {
			throw new BrokenLineException("has no request");
		}
		String origin = withoutAuthority(target);
		if (origin.charAt(0) != '/' && !origin.equals("*")) {
			throw new BrokenLineException("has no path");
		}
		int mark = origin.indexOf('?');
		return (mark < 0) ? new RequestLine(method, origin, Optional.empty())
				: new RequestLine(method, origin.substring(0, mark), Optional.of(origin.substring(mark + 1)));
	}

	/**
	 * Removes the authority of {@code http://host/path}, the form of a request to a
	 * proxy.
	 */
	private static String withoutAuthority(String target) {
		int scheme = target.indexOf("://");
		if (scheme <= 0 || !target.substring(0, scheme).toLowerCase(Locale.ROOT).matches("https?")) {
			return target;
		}
		int path = target.indexOf('/', scheme + 3);
		return (path < 0) ? "/" : target.substring(path);
	}

}
