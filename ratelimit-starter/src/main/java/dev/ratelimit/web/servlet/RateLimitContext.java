package dev.ratelimit.web.servlet;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

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
 * The state of one request, stored in one attribute over all stages and dispatches: the
 * rules that match it, those already applied, the decisions and the acquired permits.
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

	/** The acquired permits; removed by the thread that sends the response. */
	private final AtomicReference<List<Permit>> permits = new AtomicReference<>(List.of());

	/** The permits of handlers that run: only the outcome may still release them. */
	private final AtomicReference<List<Permit>> kept = new AtomicReference<>(List.of());

	private Optional<DelayedRequest> delayedRequest = Optional.empty();

	private boolean entered;

	private boolean awaitsOutcomeAtHandler;

	/** Written on a thread of the request, read on the one that sends the response. */
	private volatile boolean refusedAuthentication;

	/** Begin with a request: match it against the rules. */
	RateLimitContext(Routes routes, PathForms path, String method, WaitBudget budget) {
		this.routes = routes;
		this.path = path;
		this.method = method;
		this.matches = routes.byPath().match(path, method);
		this.budget = budget;
	}

	/** The state of a request that passed a filter. */
	static Optional<RateLimitContext> find(HttpServletRequest request) {
		return (request.getAttribute(ATTRIBUTE) instanceof RateLimitContext state) ? Optional.of(state)
				: Optional.empty();
	}

	/** Store the state in the request. */
	void store(HttpServletRequest request) {
		request.setAttribute(ATTRIBUTE, this);
	}

	/**
	 * Begin with a rule.
	 * @return {@code false} if that was done already, at any stage or dispatch, by its
	 * path or by name
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

	/** The rules in force when the request arrived. */
	RouteTable routes() {
		return this.routes.byPath();
	}

	/** The rules that handlers named when the request arrived. */
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

	/** How long the request may still wait for a store. */
	WaitBudget budget() {
		return this.budget;
	}

	/** Add what rules have decided, given the matches of the request. */
	void add(List<Match> matches, RequestDecision decision) {
		for (RuleDecision decided : decision.decided()) {
			if (!decided.isShadow()) {
				this.answered.add(new Answered(policyField(matches, decided.ruleRequest()), decided.decision(),
						decided.ruleRequest().cost()));
			}
		}
		this.permits.updateAndGet((before) -> joined(before, decision.permits()));
	}

	private static String policyField(List<Match> matches, RuleRequest ruleRequest) {
		for (Match match : matches) {
			if (match.route().rule() == ruleRequest.rule()) {
				return match.route().policyField(ruleRequest.allowance());
			}
		}
		throw new IllegalArgumentException("No request was made for " + ruleRequest.rule().id());
	}

	/** The wait of the request, until it is over. */
	Optional<DelayedRequest> turn() {
		return this.delayedRequest;
	}

	void await(DelayedRequest turn) {
		this.delayedRequest = Optional.of(this.delayedRequest.map((before) -> before.with(turn)).orElse(turn));
	}

	void endWait() {
		this.delayedRequest = Optional.empty();
	}

	/** All decisions so far of every stage, except those of rules in shadow. */
	List<Answered> answered() {
		return this.answered;
	}

	/**
	 * A handler starts to run: the permits it was admitted with stay acquired, even if
	 * another handler that it includes or forwards to is refused. Otherwise a client that
	 * can provoke that refusal could call this handler for free.
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

	/**
	 * Take the permits that a refusal releases: all that were acquired, except those of
	 * handlers that run.
	 */
	List<Permit> takePermits() {
		return this.permits.getAndSet(List.of());
	}

	/**
	 * Take the permits that an enqueued request releases: those of its delays, as it is
	 * handled later and no client waits for it.
	 */
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
	 * Take the permits that need not have been acquired, given the outcome of the
	 * request. The caller releases them; all others stay counted for good.
	 */
	List<Permit> takeUncounted(int status) {
		return joined(this.kept.getAndSet(List.of()), takePermits()).stream()
			.filter((permit) -> !permit.rule().countOn().counts(status, this.refusedAuthentication))
			.toList();
	}

	/**
	 * Spring Security has refused an authentication, which is a failure, whatever its
	 * status.
	 */
	void refusedAuthentication() {
		this.refusedAuthentication = true;
	}

	/** Whether the outcome of the request matters, or may come to matter, to a rule. */
	boolean awaitsOutcome() {
		return anyAwaitsOutcome(this.matches) || routes().mayAwaitOutcomes();
	}

	/**
	 * Rules are decided at the handler, where the response is not wrapped. If its outcome
	 * matters to them, and no filter waits for it, the handler check does.
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
	 * Enter the chain, in each dispatch anew.
	 * @return {@code false} if another filter has entered before. That filter sees the
	 * outcome of everything behind it, Spring Security above all
	 */
	boolean enter() {
		boolean first = !this.entered;
		this.entered = true;
		return first;
	}

	/** Leave the chain, after {@link #enter()} returned {@code true}. */
	void leave() {
		this.entered = false;
	}

}
