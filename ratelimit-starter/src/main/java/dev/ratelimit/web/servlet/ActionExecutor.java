package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.rule.HttpMethods;
import dev.ratelimit.spi.LaterHandler;
import dev.ratelimit.spi.LaterHandler.Answer;
import dev.ratelimit.spi.LaterHandler.Declined;
import dev.ratelimit.spi.LaterHandler.Taken;
import dev.ratelimit.spi.LaterHandler.Taking;
import dev.ratelimit.spi.LaterHandler.Unconfirmed;
import dev.ratelimit.web.DelayedRequest;
import dev.ratelimit.web.RateLimitContext;
import dev.ratelimit.web.RateLimitHeaders;
import dev.ratelimit.web.RequestAction;
import dev.ratelimit.web.RequestAction.AwaitTurn;
import dev.ratelimit.web.RequestAction.Proceed;
import dev.ratelimit.web.RequestAction.Refuse;
import dev.ratelimit.web.RequestAction.TakeLater;
import dev.ratelimit.web.RequestDecider;
import dev.ratelimit.web.RequestNeeds;
import dev.ratelimit.web.RouteTable.Match;
import dev.ratelimit.web.Routes;
import dev.ratelimit.web.key.ClientAddresses;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpHeaders;
import org.springframework.http.server.PathContainer;
import org.springframework.web.filter.ServerHttpObservationFilter;

/**
 * Executes in a servlet container what the decider has decided: writes headers and
 * responses, lets requests wait, and lets a module take them. The filters and the check
 * at the handler share it. Tested by {@code DelayTests}.
 */
public final class ActionExecutor {

	private final RequestPaths paths = new RequestPaths();

	private final RequestDecider decider;

	private final ClientAddresses addresses;

	private final DecisionResponses responses;

	private final DelayedRequests delayed;

	private final Optional<LaterHandler> later;

	private volatile boolean mayDelay;

	/**
	 * Create an executor.
	 * @param decider decides
	 * @param addresses finds the client's address
	 * @param headers writes the headers
	 * @param rejectionHandler responds to refused requests
	 * @param delayed lets requests wait for their turns
	 * @param later handles requests later that its rules have no permits for
	 */
	public ActionExecutor(RequestDecider decider, ClientAddresses addresses, RateLimitHeaders headers,
			CorsRejectionHandler rejectionHandler, DelayedRequests delayed, Optional<LaterHandler> later) {
		this.decider = decider;
		this.addresses = addresses;
		this.responses = new DecisionResponses(headers, rejectionHandler);
		this.delayed = delayed;
		this.later = later;
	}

	/** The state of a request; it is matched against the rules on first use. */
	RateLimitContext context(HttpServletRequest request, Routes routes) {
		Optional<RateLimitContext> known = StoredContext.find(request);
		if (known.isPresent()) {
			return known.get();
		}
		RateLimitContext context = this.decider.begin(routes, this.paths.of(request), request.getMethod());
		StoredContext.store(context, request);
		if (context.needs().delay()) {
			this.mayDelay = true;
		}
		return context;
	}

	/**
	 * Whether a rule may have delayed a request; no request waits at its handler before.
	 */
	boolean mayDelay() {
		return this.mayDelay;
	}

	/** Report the rules that a request did not reach, as it was answered before. */
	void reportUnreached(RateLimitContext context) {
		this.decider.reportUnreached(context);
	}

	/** Whether no rule applies to a client, whatever its request matches. */
	boolean isExemptClient(HttpServletRequest request) {
		return this.decider.isExemptClient(() -> this.addresses.certain(new ServletPeer(request)));
	}

	/**
	 * Decide in a filter the rules that are not decided yet, and wait unless the handler
	 * may let the request wait.
	 */
	RequestStep decideInFilter(RateLimitContext context, List<Match> matches, HttpServletRequest request,
			HttpServletResponse response) throws IOException {
		RequestStep step = execute(decide(context, matches, context.path(), request), context, request, response);
		return (step == RequestStep.WAITS && !this.delayed.mayWaitAtHandler(context, request))
				? awaitTurn(context, request, response) : step;
	}

	/**
	 * Decide at the handler the rules that the filters did not see, and those that only
	 * the handler names. What is included there waits on this thread.
	 */
	RequestStep decideAtHandler(RateLimitContext context, List<Match> unseen, List<Match> named, PathContainer path,
			HttpServletRequest request, HttpServletResponse response) throws IOException {
		this.decider.reportLate(unseen);
		List<Match> all = Stream
			.concat(unseen.stream(), named.stream().filter((match) -> !context.isDecided(match.route())))
			.map((match) -> match.at(path))
			.toList();
		context.willDecideAtHandler(all);
		RequestStep step = execute(decide(context, all, path, request), context, request, response);
		if (request.getDispatcherType() == DispatcherType.INCLUDE) {
			step = (step == RequestStep.WAITS) ? awaitTurn(context, request, response) : step;
			if (step == RequestStep.ANSWERED) {
				context.markUndecided(all);
			}
		}
		return step;
	}

	/**
	 * Decide the rules over a servlet that a request is forwarded to, or dispatched to
	 * asynchronously. For the handlers of MVC, {@link HandlerCheck} does that. What sends
	 * the request there has run. A request waits on this thread.
	 */
	RequestStep decideAtServlet(RateLimitContext context, HttpServletRequest request, HttpServletResponse response)
			throws IOException {
		boolean goesToMvc = this.paths.goesToMvc(request);
		if (!goesToMvc || !context.isOfMvc()) {
			context.handlerStarts();
		}
		if (goesToMvc) {
			return RequestStep.GOES_ON;
		}
		if (!context.isExemptPath() && !isExemptClient(request)) {
			for (PathContainer path : this.paths.of(request).all()) {
				List<Match> unseen = context.undecided(path, request.getMethod(), "");
				if (!unseen.isEmpty() && decideAtHandler(context, unseen, List.of(), path, request,
						response) == RequestStep.ANSWERED) {
					return RequestStep.ANSWERED;
				}
			}
		}
		return awaitTurn(context, request, response);
	}

	private RequestAction decide(RateLimitContext context, List<Match> matches, PathContainer path,
			HttpServletRequest request) {
		RequestNeeds needs = context.needsOfUndecided(matches);
		return this.decider
			.decide(context, matches, path, new ServletRequestFacts(request, path.value(), this.addresses, needs),
					this.later.isPresent() ? () -> mayTake(request) : () -> false)
			.await();
	}

	/**
	 * The client of a safe method waits for the response, so handling it later is no use.
	 */
	private boolean mayTake(HttpServletRequest request) {
		return request.getDispatcherType() == DispatcherType.REQUEST && HttpMethods.isUnsafe(request.getMethod())
				&& this.responses.rejectionHandler().allows(request);
	}

	/** Whether a request is to wait at its handler, without a thread. */
	boolean waitsAtHandler(RateLimitContext context, HttpServletRequest request) {
		Optional<DelayedRequest> delayedRequest = context.delayedRequest();
		return delayedRequest.isPresent() && this.delayed.mayWaitWithoutThread(delayedRequest.get(), request);
	}

	/** Let a request wait at its handler. An adapter calls this before the handler. */
	RequestStep waitAtHandler(RateLimitContext context, HttpServletRequest request, HttpServletResponse response)
			throws IOException {
		if (waitsAtHandler(context, request)) {
			this.delayed.waitWithoutThread(context.delayedRequest().orElseThrow(), request, response,
					() -> abandon(context));
			return RequestStep.WAITS;
		}
		return (request.getDispatcherType() == DispatcherType.ERROR) ? RequestStep.GOES_ON
				: awaitTurn(context, request, response);
	}

	/**
	 * Return from a wait at the handler, or wait on this thread if the wait has not
	 * begun. A request without a turn goes on; one that may wait no longer is answered.
	 */
	RequestStep awaitTurn(RateLimitContext context, HttpServletRequest request, HttpServletResponse response)
			throws IOException {
		if (context.delayedRequest().isEmpty()) {
			return RequestStep.GOES_ON;
		}
		DelayedRequest delayedRequest = context.delayedRequest().get();
		boolean turnHasCome = delayedRequest.isAt(DelayedRequest.Phase.TO_COME)
				? this.delayed.waitOnThread(delayedRequest) : this.delayed.resume(delayedRequest, request);
		RequestAction action = turnHasCome ? this.decider.afterWait(context)
				: this.decider.refuseWaiting(context, delayedRequest, !this.delayed.isRunning()).await();
		return execute(action, context, request, response);
	}

	/** Execute an action, except for a wait. */
	private RequestStep execute(RequestAction action, RateLimitContext context, HttpServletRequest request,
			HttpServletResponse response) throws IOException {
		if (action instanceof Refuse refusal) {
			refuse(refusal, request, response);
			return RequestStep.ANSWERED;
		}
		if (action instanceof TakeLater attempt) {
			take(attempt, context, request, response);
			return RequestStep.ANSWERED;
		}
		if ((action instanceof Proceed proceed && proceed.reports())
				|| (action instanceof AwaitTurn wait && wait.reports())) {
			this.responses.writeHeaders(context.reported(), request, response);
		}
		return (action instanceof AwaitTurn) ? RequestStep.WAITS : RequestStep.GOES_ON;
	}

	/** An include has no response of its own, so a refused one is left out. */
	private void refuse(Refuse refusal, HttpServletRequest request, HttpServletResponse response) throws IOException {
		refusal.refusing().ifPresent((match) -> observe(request, match));
		if (request.getDispatcherType() != DispatcherType.INCLUDE) {
			this.responses.refuse(refusal, request, response);
		}
	}

	/**
	 * In Spring's {@code http.server.requests}, the pattern of the rule is the
	 * {@code uri} of a request that MVC never sees.
	 */
	private static void observe(HttpServletRequest request, Match refusing) {
		ServerHttpObservationFilter.findObservationContext(request)
			.filter((observed) -> observed.getPathPattern() == null)
			.ifPresent((observed) -> observed.setPathPattern(refusing.pattern().getPatternString()));
	}

	/** Write the response to a request that was refused while its handler ran. */
	void refuseAtHandler(List<RateLimitDecision> refusals, HttpServletRequest request, HttpServletResponse response)
			throws IOException {
		this.responses.refuse(this.decider.refuseApart(StoredContext.find(request), refusals), request, response);
	}

	private void abandon(RateLimitContext context) {
		Object ignored = this.decider.abandon(context).await();
	}

	/** Release the permits that the outcome of a request does not count. */
	void settle(RateLimitContext context, int status) {
		Object ignored = this.decider.settle(context, status).await();
	}

	/** Have a module take a request. The headers report the decision that counts. */
	private void take(TakeLater action, RateLimitContext context, HttpServletRequest request,
			HttpServletResponse response) throws IOException {
		Taking taking;
		try {
			taking = this.later.orElseThrow().take(action.attempt().request(), request, context.budget());
		}
		catch (IOException | RuntimeException ex) {
			Match ignored = this.decider.answer(context, action, false).await();
			throw ex;
		}
		if (taking instanceof Taken taken) {
			answer(taken.answer(), Optional.of(taken.location()), action, context, request, response);
		}
		else if (taking instanceof Declined declined) {
			answer(declined.answer(), Optional.empty(), action, context, request, response);
		}
		else {
			if (taking instanceof Unconfirmed unconfirmed) {
				locate(unconfirmed.location(), request, response);
			}
			RequestAction refusal = this.decider.refuse(context, action, !(taking instanceof Unconfirmed)).await();
			RequestStep ignored = execute(refusal, context, request, response);
		}
	}

	/** A request that was taken has a location. */
	private void answer(Answer answer, Optional<String> location, TakeLater action, RateLimitContext context,
			HttpServletRequest request, HttpServletResponse response) throws IOException {
		observe(request, this.decider.answer(context, action, location.isPresent()).await());
		this.responses.writeHeaders(context.reported(), request, response);
		response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
		if (this.responses.rejectionHandler().letsRead(request, response)) {
			location.ifPresent((place) -> locate(place, request, response));
			PlainResponse.write(response, answer.status(), answer.contentType(), answer.body());
		}
	}

	private static void locate(String location, HttpServletRequest request, HttpServletResponse response) {
		response.setHeader(HttpHeaders.LOCATION, location);
		CorsRequests.expose(request, response, HttpHeaders.LOCATION);
	}

}
