package dev.ratelimit.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.Permit;
import dev.ratelimit.limiter.RequestDecision;
import dev.ratelimit.limiter.RuleDecision;
import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.rule.CountOn;
import dev.ratelimit.support.WaitBudget;
import dev.ratelimit.web.RouteTable.Match;

import org.springframework.http.HttpStatus;
import org.springframework.http.server.PathContainer;

/**
 * The state of one request over all stages and dispatches: the rules that match it, those
 * already applied, the decisions and the acquired permits. An adapter stores it with the
 * request. It belongs to the thread that serves the request, one dispatch after the
 * other; only the outcome and the permits are also used by the thread that sends the
 * response, or that ends a wait. Tested by {@code RateLimitFilterOutcomeTests}.
 */
public final class RateLimitContext {

	private final Routes routes;

	private final PathForms path;

	private final String method;

	private final List<Match> matches;

	private final WaitBudget budget;

	private final List<CompiledRule> decidedRules = new ArrayList<>(2);

	private final List<ReportedDecision> reported = new ArrayList<>(2);

	private final RequestPermits permits = new RequestPermits();

	private final RequestOutcome outcome = new RequestOutcome();

	private Optional<DelayedRequest> delayedRequest = Optional.empty();

	private boolean entered;

	private boolean secondStage;

	private Settler settler;

	/** Begin with a request: match it against the rules. */
	RateLimitContext(Routes routes, PathForms path, String method, WaitBudget budget) {
		this.routes = routes;
		this.path = path;
		this.method = method;
		this.matches = routes.byPath().match(path, method);
		routes.byPath().matched().count(this.matches);
		this.budget = budget;
		this.settler = needs().watches() && (routes().mayAwaitOutcomes() || anyAwaitsOutcome(this.matches))
				? Settler.FILTER : Settler.NONE;
	}

	/**
	 * Mark a rule as decided.
	 * @return {@code false} if that was done already, at any stage or dispatch, by its
	 * path or by name
	 */
	boolean markDecided(Route route) {
		return !isDecided(route) && this.decidedRules.add(route.rule());
	}

	public boolean isDecided(Route route) {
		return this.decidedRules.contains(route.rule());
	}

	/**
	 * Decide rules anew that refused a part of the request, which was left out: another
	 * part may be under the same ones.
	 * @param matches what was decided with the refused part
	 */
	public void markUndecided(List<Match> matches) {
		for (Match match : matches) {
			CompiledRule rule = match.route().rule();
			this.decidedRules.remove(rule);
			this.reported.removeIf((one) -> one.decision().rule().equals(rule.id()));
		}
	}

	/**
	 * Find the rules that cover a handler, or the path that it was chosen by, and are not
	 * decided yet. The filters did not see them: after a forward or an include, or where
	 * path or method were changed behind the filters.
	 * @param path the path
	 * @param method the method
	 * @param pattern the pattern of the handler; empty if it has none
	 * @return their matches
	 */
	public List<Match> undecided(PathContainer path, String method, String pattern) {
		List<Match> undecided = List.of();
		if (!path().value().equals(path.value()) || !this.method.equals(method)) {
			undecided = with(undecided, method, routes().covering(path, method));
		}
		return pattern.isEmpty() ? undecided : with(undecided, method, routes().coveringHandler(pattern));
	}

	private List<Match> with(List<Match> undecided, String method, List<Match> covering) {
		List<Match> all = undecided;
		for (Match match : covering) {
			Route route = match.route();
			if (!isDecided(route) && routes().coversMethod(route.rule().config(), method)
					&& undecided.stream().noneMatch((other) -> other.route() == route)) {
				all = all.isEmpty() ? new ArrayList<>(2) : all;
				all.add(match);
			}
		}
		return all;
	}

	/** The rules in force when the request arrived. */
	public RouteTable routes() {
		return this.routes.byPath();
	}

	/** The rules that handlers named when the request arrived. */
	public HandlerRoutes handlerRoutes() {
		return this.routes.byHandler();
	}

	/** What the rules in force need of a request. */
	public RequestNeeds needs() {
		return this.routes.needs();
	}

	/** What those of some rules need that are not decided yet. */
	public RequestNeeds needsOfUndecided(List<Match> matches) {
		RequestNeeds needs = RequestNeeds.NONE;
		if (!needs().equals(RequestNeeds.NONE)) {
			for (Match match : matches) {
				needs = isDecided(match.route()) ? needs : needs.and(match.route().needs());
			}
		}
		return needs;
	}

	/** The path that the filters saw. */
	public PathContainer path() {
		return this.path.served();
	}

	/** Whether MVC serves the request, unless a filter does. */
	public boolean isOfMvc() {
		return this.path.server() != PathForms.Server.SERVLET;
	}

	/** Whether a filter or another servlet than MVC's may serve the request. */
	public boolean mayBeServedElsewhere() {
		return this.path.server() != PathForms.Server.MVC;
	}

	/** Whether its path is never limited. */
	public boolean isExemptPath() {
		return routes().isExempt(this.path);
	}

	public List<Match> matches() {
		return this.matches;
	}

	/** How long the request may still wait for a store. */
	public WaitBudget budget() {
		return this.budget;
	}

	/** Add what rules have decided. */
	void add(RequestDecision decision) {
		for (RuleDecision decided : decision.decided()) {
			if (!decided.isShadow()) {
				RuleRequest ruleRequest = decided.ruleRequest();
				this.reported.add(new ReportedDecision(ruleRequest.allowance().policyField(), decided.decision(),
						ruleRequest.cost()));
			}
		}
		this.permits.add(decision.permits());
	}

	/** The wait of the request, until it is over. */
	public Optional<DelayedRequest> delayedRequest() {
		return this.delayedRequest;
	}

	/** The request has to wait for a turn, besides those that it waits for already. */
	void addDelay(DelayedRequest delay) {
		this.delayedRequest = Optional.of(this.delayedRequest.map((before) -> before.with(delay)).orElse(delay));
	}

	void endDelay() {
		this.delayedRequest = Optional.empty();
	}

	/** All decisions so far of every stage, except those of rules in shadow. */
	public List<ReportedDecision> reported() {
		return this.reported;
	}

	RequestPermits permits() {
		return this.permits;
	}

	/**
	 * Take the permits that a refusal releases. Where Spring Security has refused an
	 * authentication, rules that count failures keep theirs: otherwise a client that can
	 * provoke the refusal could try credentials for free.
	 */
	List<Permit> takeOfRefused() {
		List<Permit> taken = this.permits.take();
		return this.outcome.isAuthenticationRefused()
				? taken.stream().filter((permit) -> !countsRefusedAuthentications(permit)).toList() : taken;
	}

	/**
	 * Whether a response that does not count would count with a refused authentication.
	 */
	private static boolean countsRefusedAuthentications(Permit permit) {
		CountOn countOn = permit.rule().counting().countOn();
		return !countOn.counts(HttpStatus.OK.value()) && countOn.counts(HttpStatus.OK.value(), true);
	}

	/** Whether the outcome of the request is one that a rule counts. */
	boolean counts(Permit permit, int status) {
		return this.outcome.counts(permit.rule().counting().countOn(), status);
	}

	/** How the request ends. */
	public RequestOutcome outcome() {
		return this.outcome;
	}

	/**
	 * A handler starts to run, or what forwarded to it has run: a later refusal does not
	 * release its permits.
	 */
	public void handlerStarts() {
		this.outcome.handlerStarts();
		if (needs().watches()) {
			this.permits.keepUntilOutcome();
		}
		else {
			this.permits.keepForGood();
		}
	}

	/** What settles the permits by the outcome of the request. */
	public Settler settler() {
		return this.settler;
	}

	/**
	 * Rules are to be decided at the handler, where the response is not wrapped. If its
	 * outcome matters to them, and no filter waits for it, the handler check does.
	 */
	public void willDecideAtHandler(List<Match> matches) {
		if (this.settler == Settler.NONE && anyAwaitsOutcome(matches)) {
			this.settler = Settler.HANDLER_CHECK;
		}
	}

	private static boolean anyAwaitsOutcome(List<Match> matches) {
		for (Match match : matches) {
			if (match.route().needs().watches()) {
				return true;
			}
		}
		return false;
	}

	/** The request has come to the filter behind Spring Security. */
	public void enterSecondStage() {
		this.secondStage = true;
	}

	/** Whether the request has come to the filter behind Spring Security. */
	public boolean isInSecondStage() {
		return this.secondStage;
	}

	/**
	 * Enter the chain, in each dispatch anew.
	 * @return {@code false} if another filter has entered before. That filter sees the
	 * outcome of everything behind it, Spring Security above all
	 */
	public boolean enter() {
		boolean first = !this.entered;
		this.entered = true;
		return first;
	}

	/** Leave the chain, after {@link #enter()} returned {@code true}. */
	public void leave() {
		this.entered = false;
	}

	/** What settles the permits of a request. */
	public enum Settler {

		/** The outcome matters to no rule that is known to cover the request. */
		NONE,

		/**
		 * The outermost of the filters, as the outcome matters, or may come to matter, to
		 * a rule.
		 */
		FILTER,

		/** The check at the handler, where such a rule was found to cover the request. */
		HANDLER_CHECK

	}

}
