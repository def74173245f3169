package dev.ratelimit.queue.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;

/**
 * Reads the body of a request in order to store it.
 */
final class RequestBody {

	private static final String FORM = "application/x-www-form-urlencoded";

	private static final String PARTS = "multipart/";

	private static final Result TOO_LARGE = new TooLarge();

	private static final Result GONE = new Gone();

	private RequestBody() {
	}

	/**
	 * Read the body, or find out that it cannot be stored.
	 * @param request the request
	 * @param maxBytes how large it may be
	 * @param bodies waits for data that has not arrived
	 * @return the result
	 * @throws IOException if the client does not send all of it
	 */
	static Result read(HttpServletRequest request, int maxBytes, SlowBodies bodies) throws IOException {
		if (request.getContentLengthLong() > maxBytes) {
			return TOO_LARGE;
		}
		ServletInputStream in;
		try {
			in = request.getInputStream();
		}
		catch (IllegalStateException ex) {
			return GONE; // through its reader, as characters
		}
		Optional<byte[]> read = bodies.read(in, maxBytes + 1, request.getContentLengthLong() < 0);
		if (read.isEmpty()) {
			SlowBodies.giveUp(request);
			return GONE;
		}
		byte[] body = read.get();
		if (body.length > maxBytes) {
			return TOO_LARGE;
		}
		if (body.length == 0 && hasType(FORM, request)) {
			return form(request, maxBytes);
		}
		// Its parts may have been read without its length being known; it is never empty.
		boolean lacksParts = body.length == 0 && hasType(PARTS, request);
		return (lacksParts || body.length < request.getContentLengthLong()) ? GONE : new Read(body);
	}

	private static Result form(HttpServletRequest request, int maxBytes) throws IOException {
		try {
			return parameters(request, maxBytes).<Result>map(Read::new).orElse(TOO_LARGE);
		}
		catch (IllegalArgumentException ex) {
			return GONE; // in an unknown character set
		}
	}

	private static boolean hasType(String type, HttpServletRequest request) {
		return Objects.requireNonNullElse(request.getContentType(), "").toLowerCase(Locale.ROOT).startsWith(type);
	}

	/**
	 * The form, which a filter before this one has read by accessing a parameter; empty
	 * if it is too large. Parameters of the query come first.
	 */
	private static Optional<byte[]> parameters(HttpServletRequest request, int maxBytes) throws IOException {
		Charset charset = Charset
			.forName(Optional.ofNullable(request.getCharacterEncoding()).orElse(StandardCharsets.UTF_8.name()));
		Map<String, Integer> inQuery = namesInQuery(request);
		ByteArrayOutputStream form = new ByteArrayOutputStream();
		for (Map.Entry<String, String[]> parameter : request.getParameterMap().entrySet()) {
			String name = URLEncoder.encode(parameter.getKey(), charset);
			String[] values = parameter.getValue();
			for (int i = inQuery.getOrDefault(parameter.getKey(), 0); i < values.length; i++) {
				String pair = ((form.size() > 0) ? "&" : "") + name + "=" + URLEncoder.encode(values[i], charset);
				form.write(pair.getBytes(StandardCharsets.US_ASCII));
				if (form.size() > maxBytes) {
					return Optional.empty();
				}
			}
		}
		return Optional.of(form.toByteArray());
	}

	/** How often each name occurs, counted once: a client may send thousands. */
	private static Map<String, Integer> namesInQuery(HttpServletRequest request) {
		Map<String, Integer> names = new HashMap<>();
		String query = request.getQueryString();
		if (query != null) {
			for (String pair : query.split("&", -1)) {
				decoded(pair.split("=", 2)[0]).ifPresent((name) -> names.merge(name, 1, Integer::sum));
			}
		}
		return names;
	}

	/** Empty if it cannot be decoded: then it is the name of no parameter. */
	private static Optional<String> decoded(String name) {
		try {
			return Optional.of(URLDecoder.decode(name, StandardCharsets.UTF_8));
		}
		catch (IllegalArgumentException ex) {
			return Optional.empty();
		}
	}

	/** The result of reading a body. */
	sealed interface Result {

	}

	/**
	 * The whole body.
	 *
	 * @param bytes its bytes
	 */
	@SuppressWarnings("ArrayRecordComponent")
	record Read(byte[] bytes) implements Result {
	}

	/** It is larger than a stored body may be. */
	record TooLarge() implements Result {
	}

	/** It arrives too slowly, or was read elsewhere and left no copy. */
	record Gone() implements Result {
	}

}
