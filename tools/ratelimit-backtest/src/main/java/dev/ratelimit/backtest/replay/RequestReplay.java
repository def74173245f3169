package dev.ratelimit.backtest.replay;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.DecisionListener.Outcome;
import dev.ratelimit.limiter.IpAddress;
import dev.ratelimit.limiter.IpRange;
import dev.ratelimit.limiter.RequestDecision;
import dev.ratelimit.limiter.RequestLimiter;
import dev.ratelimit.limiter.RuleApplication;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.support.WaitBudget;
import dev.ratelimit.web.PathForms;
import dev.ratelimit.web.RouteTable;
import dev.ratelimit.web.RouteTable.Match;
import dev.ratelimit.web.key.RequestFacts;

import org.springframework.http.server.PathContainer;

/**
 * Decides requests of which only facts are known, such as the lines of an access log. It
 * uses the same routes, keys, conditions and limiter as the filter, and decides all rules
 * of a request at once. Safe for concurrent use; costs as much as the filter.
 */
final class RequestReplay {

	private final RouteTable routes;

	private final RequestLimiter limiter;

	private final List<IpRange> exemptAddresses;

	/**
	 * Create a replay.
	 * @param routes the rules in force
	 * @param limiter decides
	 * @param exemptAddresses the addresses of clients that are never limited
	 */
	RequestReplay(RouteTable routes, RequestLimiter limiter, List<IpRange> exemptAddresses) {
		this.routes = routes;
		this.limiter = limiter;
		this.exemptAddresses = List.copyOf(exemptAddresses);
	}

	/**
	 * Decide a request, and settle it by its status.
	 * @param request its facts; the path is the one within the application
	 * @param status the status that the application returned, or would have returned
	 * @return the results of the rules that match it, in no order; empty if none does, or
	 * if the request is exempt. Rules that were not evaluated, because another one blocks
	 * the client or refuses for lack of a key, have no outcome
	 */
	List<Replayed> replay(RequestFacts request, int status) {
		PathContainer path = PathForms.parse(request.path());
		List<Match> matches = this.routes.match(PathForms.ofMvc(path), request.method());
		if (matches.isEmpty() || isExempt(request.address())) {
			return List.of();
		}
		List<Replayed> replayed = new ArrayList<>(matches.size());
		List<RuleApplication.Counts> counts = new ArrayList<>(matches.size());
		for (Match match : matches) {
			RLConfig rule = match.route().rule().config();
			RuleApplication application = match.route().apply(request, match.variables());
			if (application instanceof RuleApplication.Counts applied) {
				counts.add(applied);
				continue;
			}
			boolean denies = application instanceof RuleApplication.Denies;
			replayed.add(new Replayed(rule, Optional.of(denies ? Outcome.REJECTED : Outcome.SKIPPED), List.of(),
					Optional.empty()));
			if (denies && !rule.enforcement().shadow()) {
				return withUnevaluated(replayed, matches);
			}
		}
		if (!counts.isEmpty()) {
			replayed.addAll(decide(counts, status));
		}
		return withUnevaluated(replayed, matches);
	}

	private boolean isExempt(String address) {
		return IpAddress.parse(address)
			.filter((parsed) -> this.exemptAddresses.stream().anyMatch((range) -> range.contains(parsed)))
			.isPresent();
	}

	/**
	 * Add the rules that were not evaluated, so that the outcomes of a rule add up to the
	 * requests that it matches.
	 */
	private static List<Replayed> withUnevaluated(List<Replayed> replayed, List<Match> matches) {
		for (Match match : matches) {
			RLConfig rule = match.route().rule().config();
			if (replayed.size() < matches.size() && replayed.stream().noneMatch((one) -> one.rule().equals(rule))) {
				replayed.add(new Replayed(rule, Optional.empty(), List.of(), Optional.empty()));
			}
		}
		return replayed;
	}

	private List<Replayed> decide(List<RuleApplication.Counts> counts, int status) {
		WaitBudget budget = this.limiter.newBudget();
		RequestDecision decision = this.limiter
			.decide(counts.stream().map(RuleApplication.Counts::ruleRequest).toList(), budget)
			.await();
		Object ignored = this.limiter.settleOutcome(decision.permits(), status, budget).await();
		return decision.decided().stream().map((decided) -> {
			Outcome outcome = decided.outcome(decision.isAdmitted());
			return new Replayed(decided.ruleRequest().rule().config(), Optional.of(outcome),
					key(counts, decided.ruleRequest().rule()), Optional.of(decided));
		}).toList();
	}

	private static List<String> key(List<RuleApplication.Counts> counts, CompiledRule rule) {
		for (RuleApplication.Counts applied : counts) {
			if (applied.ruleRequest().rule() == rule) {
				return applied.key();
			}
		}
		throw new IllegalArgumentException("No request was made for " + rule.id());
	}

}
