package dev.ratelimit.integration.routes;

import java.io.IOException;
import java.net.URI;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.PathContainer;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * A gateway in one method, as {@code docs/gateway.md} shows it: the starter in front
 * decides before it is called.
 */
@RestController
class GatewayController {

	private static final List<String> REQUEST = List.of("Accept", "Authorization", "Content-Type", "X-Tenant");

	private static final List<String> ANSWER = List.of("Content-Type", "Location", "ETag");

	private final RestClient client = RestClient.create();

	private final String server;

	GatewayController(@Value("${gateway.server}") String server) {
		this.server = server;
	}

	@RequestMapping("/api/**")
	ResponseEntity<byte[]> forward(HttpServletRequest request) throws IOException {
		List<String> segments = segments(request);
		if (segments.isEmpty()) {
			return ResponseEntity.notFound().build();
		}
		String query = (request.getQueryString() != null) ? "?" + request.getQueryString() : "";
		String hops = Stream
			.concat(Collections.list(request.getHeaders("X-Forwarded-For")).stream(),
					Stream.of(request.getRemoteAddr()))
			.collect(Collectors.joining(", "));
		byte[] body = request.getInputStream().readAllBytes();
		RestClient.RequestBodySpec forwarded = this.client.method(HttpMethod.valueOf(request.getMethod()))
			.uri(URI.create(UriComponentsBuilder.fromUriString(this.server)
				.pathSegment(segments.toArray(String[]::new))
				.build()
				.encode()
				.toUriString() + query))
			.header("X-Forwarded-For", hops)
			.header("X-Forwarded-Proto", request.getScheme())
			.header("X-Forwarded-Host", request.getHeader("Host"));
		REQUEST.stream()
			.filter((name) -> request.getHeader(name) != null)
			.forEach((name) -> forwarded.header(name, request.getHeader(name)));
		if (body.length > 0) {
			forwarded.body(body);
		}
		return forwarded.exchange((sent, answer) -> {
			HttpHeaders headers = new HttpHeaders();
			ANSWER.forEach((name) -> headers.addAll(name, answer.getHeaders().getOrEmpty(name)));
			return ResponseEntity.status(answer.getStatusCode()).headers(headers).body(answer.getBody().readAllBytes());
		});
	}

	/**
	 * The path that rules were matched against; none where another server may read it
	 * otherwise.
	 */
	static List<String> segments(HttpServletRequest request) {
		PathContainer path = ServletRequestPathUtils.getParsedRequestPath(request).pathWithinApplication();
		List<String> segments = path.elements()
			.stream()
			.filter((element) -> element instanceof PathContainer.PathSegment)
			.map((element) -> ((PathContainer.PathSegment) element).valueToMatch())
			.toList();
		boolean normal = path.elements().size() == 2 * segments.size()
				&& segments.stream().noneMatch((segment) -> segment.matches("(?s)\\s*|\\.\\.?|.*[/\\\\%;].*"));
		return normal ? segments : List.of();
	}

}
