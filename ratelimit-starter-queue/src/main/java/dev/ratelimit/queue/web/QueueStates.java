package dev.ratelimit.queue.web;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.queue.ItemState;

import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Reports the states of queued requests to clients. Any client that knows an id may query
 * it: it consists of 128 random bits, and the response contains nothing of the request.
 * Its path only exists for rules that enqueue requests. Costs a call of the store; the
 * number of calls per second is bounded.
 */
public final class QueueStates {

	private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{22}");

	private final ItemQueue queue;

	private final Predicate<String> enqueues;

	private final Duration deadline;

	private final StateReads reads;

	/**
	 * Create the resource.
	 * @param queue stores the states
	 * @param enqueues whether a rule enqueues requests by now
	 * @param deadline how long to wait for the store
	 * @param reads bounds the calls of the store
	 */
	public QueueStates(ItemQueue queue, Predicate<String> enqueues, Duration deadline, StateReads reads) {
		this.queue = queue;
		this.enqueues = enqueues;
		this.deadline = deadline;
		this.reads = reads;
	}

	/**
	 * The route to this resource.
	 * @param path the path within the application
	 * @return the route
	 */
	public RouterFunction<ServerResponse> route(String path) {
		return RouterFunctions.route()
			.GET(path + "/{rule}/{id}", (request) -> this.enqueues.test(request.pathVariable("rule")), this::answer)
			.build();
	}

	private ServerResponse answer(ServerRequest request) {
		String rule = request.pathVariable("rule");
		String id = request.pathVariable("id");
		if (!ID.matcher(id).matches()) {
			return problem(HttpStatus.NOT_FOUND, "");
		}
		if (!this.reads.take()) {
			return problem(HttpStatus.TOO_MANY_REQUESTS, "1");
		}
		Optional<List<ItemState>> states = this.queue.state(rule, id, this.deadline);
		if (states.isEmpty()) {
			return problem(HttpStatus.SERVICE_UNAVAILABLE, "1");
		}
		return states.get()
			.stream()
			.findFirst()
			.map((state) -> ServerResponse.ok()
				.cacheControl(CacheControl.noStore())
				.contentType(MediaType.APPLICATION_JSON)
				.body(QueueAnswers.state(rule, id, state)))
			.orElseGet(() -> problem(HttpStatus.NOT_FOUND, ""));
	}

	private static ServerResponse problem(HttpStatus status, String retryAfter) {
		ServerResponse.BodyBuilder answer = ServerResponse.status(status).cacheControl(CacheControl.noStore());
		if (!retryAfter.isEmpty()) {
			answer.header(HttpHeaders.RETRY_AFTER, retryAfter);
		}
		return answer.contentType(MediaType.APPLICATION_PROBLEM_JSON)
			.body("{\"type\":\"about:blank\",\"title\":\"%s\",\"status\":%d}".formatted(status.getReasonPhrase(),
					status.value()));
	}

}
