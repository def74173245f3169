package dev.ratelimit.web.servlet;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.Permit;
import dev.ratelimit.limiter.RequestDecision;
import dev.ratelimit.limiter.RuleDecision;
import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.limiter.WaitBudget;
import dev.ratelimit.rule.OnLimit;
import dev.ratelimit.web.Answered;
import dev.ratelimit.web.HandlerRoutes;
import dev.ratelimit.web.PathForms;
import dev.ratelimit.web.Route;
import dev.ratelimit.web.RouteTable;
import dev.ratelimit.web.RouteTable.Match;
import dev.ratelimit.web.Routes;
import jakarta.servlet.http.HttpServletRequest;

import org.springframework.http.server.PathContainer;

/**
 * What is known of one request, kept in one attribute over all stages and dispatches: the
 * rules that match it, those already applied, what was decided and what was taken.
 */
final class RateLimitContext {

	private static final String ATTRIBUTE = RateLimitContext.class.getName();

	private final Routes routes;

	private final PathForms path;

	private final String method;

	private final List<Match> matches;

	private final WaitBudget budget;

	private final List<CompiledRule> begun = new ArrayList<>(2);

	private final List<Answered> answered = new ArrayList<>(2);

	/** Taken out on whichever thread sends the response. */
	private final AtomicReference<List<Permit>> permits = new AtomicReference<>(List.of());

	/** Those of handlers that run: only the outcome may still give them back. */
	private final AtomicReference<List<Permit>> kept = new AtomicReference<>(List.of());

	private Optional<DelayedRequest> delayedRequest = Optional.empty();

	private Optional<EnqueueCandidate> candidate = Optional.empty();

	private boolean entered;

	private boolean awaitsOutcomeAtHandler;

	/** Written on a thread of the request, read on the one that sends the response. */
	private volatile boolean refusedAuthentication;

	private RateLimitContext(Routes routes, PathForms path, String method, WaitBudget budget) {
		this.routes = routes;
		this.path = path;
		this.method = method;
		this.matches = routes.byPath().match(path, method);
		this.budget = budget;
	}

	/** The state of a request; matched against the rules when it is first asked for. */
	static RateLimitContext of(HttpServletRequest request, Routes routes, RequestPaths paths,
			Supplier<WaitBudget> newBudget) {
		if (request.getAttribute(ATTRIBUTE) instanceof RateLimitContext state) {
			return state;
		}
		RateLimitContext state = new RateLimitContext(routes, paths.of(request), request.getMethod(), newBudget.get());
		request.setAttribute(ATTRIBUTE, state);
		return state;
	}

	/** The state of a request that passed a filter. */
	static Optional<RateLimitContext> find(HttpServletRequest request) {
		return (request.getAttribute(ATTRIBUTE) instanceof RateLimitContext state) ? Optional.of(state)
				: Optional.empty();
	}

	/**
	 * Begin with a rule; false if that was done already, at whatever stage or dispatch,
	 * by its path or by name.
	 */
	boolean begin(Route route) {
		return !hasBegun(route) && this.begun.add(route.rule());
	}

	boolean hasBegun(Route route) {
		return this.begun.contains(route.rule());
	}

	/** Whether the matches are those of this path and method. */
	boolean saw(PathContainer path, String method) {
		return path().value().equals(path.value()) && this.method.equals(method);
	}

	/** The rules in force when the request came. */
	RouteTable routes() {
		return this.routes.byPath();
	}

	/** The rules that handlers named then. */
	HandlerRoutes handlerRoutes() {
		return this.routes.byHandler();
	}

	/** The path that the filters saw. */
	PathContainer path() {
		return this.path.served();
	}

	/** Whether MVC serves the request. */
	boolean isOfMvc() {
		return this.path.isOfMvc();
	}

	/** Whether its path is never limited. */
	boolean isExempt() {
		return routes().isExempt(this.path);
	}

	List<Match> matches() {
		return this.matches;
	}

	/** What the request may still wait for a store. */
	WaitBudget budget() {
		return this.budget;
	}

	void add(List<Route> routes, RequestDecision verdict) {
		for (RuleDecision decided : verdict.decided()) {
			if (!decided.isShadow()) {
				this.answered.add(new Answered(policyField(routes, decided.ruleRequest()), decided.decision(),
						decided.ruleRequest().cost()));
			}
		}
		this.permits.updateAndGet((before) -> joined(before, verdict.permits()));
	}

	private static String policyField(List<Route> routes, RuleRequest ruleRequest) {
		for (Route route : routes) {
			if (route.rule() == ruleRequest.rule()) {
				return route.policyField(ruleRequest.allowance());
			}
		}
		throw new IllegalArgumentException("Nobody asked " + ruleRequest.rule().id());
	}

	/** What it waits for, if its turn is still to come. */
	Optional<DelayedRequest> awaited() {
		return this.delayedRequest;
	}

	/** Have rules decide last of all that keep it if they have no room for it. */
	void mayBeKept(EnqueueCandidate candidate) {
		this.candidate = Optional.of(candidate);
	}

	/** What {@link #mayBeKept} said, once. */
	Optional<EnqueueCandidate> takeKeepable() {
		Optional<EnqueueCandidate> taken = this.candidate;
		this.candidate = Optional.empty();
		return taken;
	}

	/** Whether it need not begin to wait for anything. */
	boolean isNotToWait() {
		return this.delayedRequest.isEmpty() || !this.delayedRequest.get().isAt(DelayedRequest.Phase.TO_COME);
	}

	void await(DelayedRequest turn) {
		this.delayedRequest = Optional.of(this.delayedRequest.map((before) -> before.with(turn)).orElse(turn));
	}

	void endWait() {
		this.delayedRequest = Optional.empty();
	}

	/** All decisions so far of every stage, but those of rules in shadow. */
	List<Answered> answered() {
		return this.answered;
	}

	/**
	 * From now on a handler runs: what it was admitted by stays taken, also if another
	 * handler that it includes or forwards to is refused. Or else whoever knows how to be
	 * refused there would try this one for nothing.
	 */
	void keepPermits() {
		List<Permit> taken = takePermits();
		if (taken.stream().anyMatch((permit) -> !permit.rule().countOn().isAlways())) {
			this.kept.updateAndGet((before) -> joined(before, taken));
		}
	}

	private static List<Permit> joined(List<Permit> some, List<Permit> others) {
		if (some.isEmpty() || others.isEmpty()) {
			return some.isEmpty() ? others : some;
		}
		List<Permit> all = new ArrayList<>(some);
		all.addAll(others);
		return all;
	}

	/** What a refusal gives back: all that was taken and is not kept. */
	List<Permit> takePermits() {
		return this.permits.getAndSet(List.of());
	}

	/** What who is kept gives back: it goes on later, and nobody waits for it. */
	List<Permit> takeTurns() {
		List<Permit> all = this.permits.getAndUpdate((taken) -> turns(taken, false));
		return turns(all, true);
	}

	private static List<Permit> turns(List<Permit> permits, boolean which) {
		return permits.stream()
			.filter((permit) -> (permit.rule().onLimit() instanceof OnLimit.Delay) == which)
			.toList();
	}

	/**
	 * What was taken and need not have been, going by what came of the request; the
	 * caller gives it back. All the rest stays counted for good.
	 */
	List<Permit> takeUncounted(int status) {
		return joined(this.kept.getAndSet(List.of()), takePermits()).stream()
			.filter((permit) -> !permit.rule().countOn().counts(status, this.refusedAuthentication))
			.toList();
	}

	/** Spring Security has refused an authentication: a failure, whatever its status. */
	void refusedAuthentication() {
		this.refusedAuthentication = true;
	}

	/** Whether it matters, or may come to matter, to a rule what comes of the request. */
	boolean awaitsOutcome() {
		return anyAwaitsOutcome(this.matches) || routes().mayAwaitOutcomes();
	}

	/**
	 * Rules are decided at the handler, where nobody wraps the response: if it matters to
	 * them what comes of the request, and no filter waits for that, the handler check
	 * does.
	 */
	void decidedAtHandler(List<Match> late) {
		this.awaitsOutcomeAtHandler |= anyAwaitsOutcome(late) && !awaitsOutcome();
	}

	boolean awaitsOutcomeAtHandler() {
		return this.awaitsOutcomeAtHandler;
	}

	private static boolean anyAwaitsOutcome(List<Match> matches) {
		for (Match match : matches) {
			if (!match.route().rule().config().countOn().isAlways()) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Enter the chain, in each dispatch anew; false if another filter did, which will see
	 * the outcome that everybody behind it, Spring Security above all, has made.
	 */
	boolean enter() {
		boolean first = !this.entered;
		this.entered = true;
		return first;
	}

	/** Leave the chain, after {@link #enter()} was true. */
	void leave() {
		this.entered = false;
	}

}
