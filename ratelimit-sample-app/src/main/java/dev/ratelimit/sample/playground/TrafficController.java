package dev.ratelimit.sample.playground;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

import dev.ratelimit.sample.applications.Applications;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;

/**
 * Sends the page's requests over HTTP, and streams the answers as they arrive, one JSON
 * object per line. A browser could not send them itself: it has at most six connections
 * to a host, and none to the other applications.
 */
@RestController
class TrafficController {

	private static final String CLIENT = "[a-z0-9-]{1,40}";

	private static final int MOST = 200;

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private static final String SHOWN = "(x-)?ratelimit.*|retry-after|location|content-type";

	private final InstantSource clock = InstantSource.system();

	private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final Applications applications;

	TrafficController(Applications applications) {
		this.applications = applications;
	}

	/**
	 * Orders are enqueued above their limit; all others are rules of the page, whose
	 * paths follow from their names.
	 */
	static boolean isPlayed(String rule) {
		return rule.equals("orders") || rule.matches("(play|modes)-[a-z]+");
	}

	@PutMapping(path = "/playground/traffic", produces = MediaType.APPLICATION_NDJSON_VALUE)
	ResponseBodyEmitter send(@RequestBody Traffic traffic, HttpServletRequest request) {
		if (!traffic.isValid()) {
			throw new ResponseStatusException(HttpStatus.BAD_REQUEST);
		}
		URI target = (traffic.to() == null) ? URI.create("http://127.0.0.1:" + request.getLocalPort())
				: this.applications.uris().get(traffic.to());
		if (target == null) {
			throw new ResponseStatusException(HttpStatus.NOT_FOUND);
		}
		HttpRequest sent = traffic.request(target);
		ResponseBodyEmitter answers = new ResponseBodyEmitter(PATIENCE.plus(traffic.length()).toMillis());
		AtomicInteger left = new AtomicInteger(traffic.count());
		for (int i = 0; i < traffic.count(); i++) {
			CompletableFuture.delayedExecutor(i * traffic.everyMillis(), TimeUnit.MILLISECONDS)
				.execute(() -> send(sent, answers, left));
		}
		return answers;
	}

	private void send(HttpRequest request, ResponseBodyEmitter answers, AtomicInteger left) {
		long sent = this.clock.millis();
		var unused = this.http.sendAsync(request, BodyHandlers.ofString()).whenComplete((response, failure) -> {
			Answer answer = Answer.of(sent, this.clock.millis(), response);
			try {
				synchronized (answers) {
					answers.send(answer, MediaType.APPLICATION_JSON);
					answers.send("\n", MediaType.TEXT_PLAIN);
				}
				if (left.decrementAndGet() == 0) {
					answers.complete();
				}
			}
			catch (IOException | IllegalStateException ex) {
				// The page has been left or reset.
			}
		});
	}

	/**
	 * Requests of one client.
	 *
	 * @param to the application; by default this one
	 * @param rule the rule, which has a path of its own
	 * @param client the client
	 * @param plan its plan, if it has one
	 * @param count how many requests
	 * @param everyMillis the time between two of them; 0 if they are sent at once
	 */
	record Traffic(@Nullable String to, String rule, String client, @Nullable String plan, int count,
			long everyMillis) {

		boolean isValid() {
			return isPlayed(this.rule) && this.client.matches(CLIENT)
					&& (this.plan == null || this.plan.matches(CLIENT)) && this.count >= 1 && this.count <= MOST
					&& this.everyMillis >= 0 && length().compareTo(Duration.ofMinutes(1)) <= 0;
		}

		Duration length() {
			return Duration.ofMillis(this.count * this.everyMillis);
		}

		HttpRequest request(URI application) {
			HttpRequest.Builder request = HttpRequest.newBuilder().timeout(PATIENCE);
			Optional.ofNullable(this.plan).ifPresent((plan) -> request.header("X-Plan", plan));
			if (this.rule.equals("orders")) {
				return request.uri(application.resolve("/orders"))
					.header("X-Customer", this.client)
					.header("Content-Type", MediaType.APPLICATION_JSON_VALUE)
					.POST(BodyPublishers.ofString("{\"customer\":\"%s\",\"item\":\"book\"}".formatted(this.client)))
					.build();
			}
			return request.uri(application.resolve("/" + this.rule.replace('-', '/')))
				.header("X-Player", this.client)
				.build();
		}

	}

	/**
	 * The answer to a request.
	 *
	 * @param sent when it was sent, in milliseconds since 1970
	 * @param answered when the answer arrived
	 * @param status the HTTP status; 0 if there was no answer
	 * @param headers the headers about limits, in lower case
	 * @param body the body
	 */
	record Answer(long sent, long answered, int status, Map<String, String> headers, String body) {

		static Answer of(long sent, long answered, @Nullable HttpResponse<String> response) {
			if (response == null) {
				return new Answer(sent, answered, 0, Map.of(), "");
			}
			Map<String, String> headers = response.headers()
				.map()
				.entrySet()
				.stream()
				.filter((header) -> header.getKey().matches(SHOWN))
				.collect(Collectors.toMap(Map.Entry::getKey, (header) -> String.join(", ", header.getValue())));
			return new Answer(sent, answered, response.statusCode(), headers, response.body());
		}

	}

}
