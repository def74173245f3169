package dev.ratelimit.backtest.log;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads one JSON object per line, with the field names of nginx' variables, Tomcat's
 * valve, Caddy and most others.
 */
final class JsonLine {

	private static final JsonMapper MAPPER = new JsonMapper();

	private static final List<String> TIME = List.of("time", "timestamp", "@timestamp", "time_iso8601", "msec",
			"time_local", "ts");

	private static final List<String> ADDRESS = List.of("remote_addr", "remoteAddr", "remote_ip", "client_ip",
			"address", "ip");

	private static final List<String> USER = List.of("remote_user", "user");

	private static final List<String> METHOD = List.of("request_method", "method");

	private static final List<String> TARGET = List.of("request_uri", "uri", "path", "url");

	private static final List<String> QUERY = List.of("query_string", "query", "args");

	private static final List<String> STATUS = List.of("status", "statusCode", "status_code");

	private static final List<String> HEADERS = List.of("headers", "request_headers", "requestHeaders");

	private static final String REQUEST = "request";

	private static final String HEADER_PREFIX = "http_";

	private static final String COOKIE_PREFIX = "cookie_";

	private final JsonNode line;

	private JsonLine(JsonNode line) {
		this.line = line;
	}

	static LogLine parse(RawLine line) {
		JsonNode node;
		try {
			node = MAPPER.readTree(line.bytes());
		}
		catch (JacksonException ex) {
			throw new BrokenLineException("is not in this format");
		}
		if (!node.isObject()) {
			throw new BrokenLineException("is not in this format");
		}
		return new JsonLine(node).read(line.number());
	}

	private LogLine read(long number) {
		String time = find(TIME).orElseThrow(() -> new BrokenLineException("has no time that can be read"));
		String address = find(ADDRESS).orElseThrow(() -> new BrokenLineException("has no address"));
		String status = find(STATUS).orElseThrow(() -> new BrokenLineException("has no status"));
		RequestLine request = request();
		return new LogLine(number, Times.any(time), address, find(USER), request.method(), request.path(),
				request.query().or(() -> find(QUERY).map(JsonLine::withoutMark)), Texts.status(status), headers());
	}

	private RequestLine request() {
		Optional<String> method = find(METHOD);
		Optional<String> target = find(TARGET);
		if (method.isPresent() && target.isPresent()) {
			return RequestLine.of(method.get(), target.get());
		}
		return text(this.line.path(REQUEST)).map(RequestLine::parse)
			.orElseThrow(() -> new BrokenLineException("has no request"));
	}

	private static String withoutMark(String query) {
		return query.startsWith("?") ? query.substring(1) : query;
	}

	/** The first field that has a value, at the top level or within {@code request}. */
	private Optional<String> find(List<String> names) {
		for (String name : names) {
			Optional<String> value = text(this.line.path(name)).or(() -> text(this.line.path(REQUEST).path(name)));
			if (value.isPresent()) {
				return value;
			}
		}
		return Optional.empty();
	}

	/** The first element of a list is used, as for several headers with one name. */
	private static Optional<String> text(JsonNode value) {
		JsonNode first = value.isArray() ? value.path(0) : value;
		String text = "";
		if (first.isString() || first.isIntegralNumber()) {
			text = first.asString();
		}
		else if (first.isNumber() && Double.isFinite(first.doubleValue())) {
			text = BigDecimal.valueOf(first.doubleValue()).toPlainString();
		}
		return (text.isBlank() || text.equals("-")) ? Optional.empty() : Optional.of(text);
	}

	private Map<String, String> headers() {
		Map<String, String> headers = new HashMap<>();
		for (String name : HEADERS) {
			addAll(this.line.path(name), headers);
			addAll(this.line.path(REQUEST).path(name), headers);
		}
		StringBuilder cookies = new StringBuilder();
		for (Map.Entry<String, JsonNode> field : this.line.properties()) {
			String name = field.getKey();
			if (name.startsWith(HEADER_PREFIX)) {
				String header = name.substring(HEADER_PREFIX.length()).replace('_', '-').toLowerCase(Locale.ROOT);
				text(field.getValue()).ifPresent((value) -> headers.putIfAbsent(header, value));
			}
			else if (name.startsWith(COOKIE_PREFIX)) {
				text(field.getValue()).ifPresent((value) -> cookies.append(cookies.isEmpty() ? "" : "; ")
					.append(name, COOKIE_PREFIX.length(), name.length())
					.append('=')
					.append(value));
			}
		}
		if (!cookies.isEmpty()) {
			headers.putIfAbsent("cookie", cookies.toString());
		}
		return headers;
	}

	private static void addAll(JsonNode fields, Map<String, String> headers) {
		for (Map.Entry<String, JsonNode> field : fields.properties()) {
			text(field.getValue())
				.ifPresent((value) -> headers.putIfAbsent(field.getKey().toLowerCase(Locale.ROOT), value));
		}
	}

}
