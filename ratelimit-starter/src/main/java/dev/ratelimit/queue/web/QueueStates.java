package dev.ratelimit.queue.web;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.queue.ItemState;
import dev.ratelimit.rule.OnLimit;

import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Tells clients what has become of requests that were kept. Who knows an id may ask: it
 * is 128 bits of chance, and the answer tells nothing of the request. There is nothing
 * under its path but for rules that keep requests. Costs a call of the store, of which
 * there are only so many in a second.
 */
public final class QueueStates {

	private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{22}");

	private final ItemQueue queue;

	private final Supplier<CompiledRules> rules;

	private final Duration deadline;

	private final StateReads reads;

	/**
	 * Create the resource.
	 * @param queue knows the states
	 * @param rules the rules in force
	 * @param deadline how long to wait for the store
	 * @param reads how often the store is called
	 */
	public QueueStates(ItemQueue queue, Supplier<CompiledRules> rules, Duration deadline, StateReads reads) {
		this.queue = queue;
		this.rules = rules;
		this.deadline = deadline;
		this.reads = reads;
	}

	/**
	 * The route to it.
	 * @param path the path within the application
	 * @return the route
	 */
	public RouterFunction<ServerResponse> route(String path) {
		return RouterFunctions.route()
			.GET(path + "/{rule}/{id}", (request) -> keepsRequests(request.pathVariable("rule")), this::answer)
			.build();
	}

	private boolean keepsRequests(String rule) {
		return this.rules.get()
			.find(rule)
			.filter((found) -> found.config().onLimit() instanceof OnLimit.Enqueue)
			.isPresent();
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
