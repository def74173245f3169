package dev.ratelimit.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.IpRange;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.web.Explained.Applies;
import dev.ratelimit.web.RouteTable.Match;

import org.springframework.http.server.PathContainer;

/**
 * Explains requests by the routes that the filter decides by. It cannot explain rules
 * that only code names, nor evaluate a bean or a condition: these need a real request.
 * Tested by {@code ExplainTests}.
 */
public final class RouteExplainer implements RequestExplainer {

	private final Supplier<CompiledRules> rules;

	private final Supplier<Routes> routes;

	private final ExemptAddresses exemptAddresses;

	private final SubjectEncoder subjects;

	/**
	 * Create an explainer.
	 * @param rules the rules in force
	 * @param routes their routes
	 * @param exemptAddresses the addresses of clients that are never limited
	 * @param subjects encodes keys
	 */
	public RouteExplainer(Supplier<CompiledRules> rules, Supplier<Routes> routes, List<IpRange> exemptAddresses,
			SubjectEncoder subjects) {
		this.rules = rules;
		this.routes = routes;
		this.exemptAddresses = new ExemptAddresses(exemptAddresses);
		this.subjects = subjects;
	}

	@Override
	public List<Explained> explain(DescribedRequest request) {
		RouteTable table = this.routes.get().byPath();
		PathContainer path = PathForms.parse(request.path());
		List<Match> covering = table.covering(path, request.method());
		List<Explained> explained = new ArrayList<>();
		for (RLConfig rule : this.rules.get().ruleSet().rules()) {
			Optional<Match> match = covering.stream()
				.filter((one) -> one.route().rule().id().equals(rule.id()))
				.findFirst();
			explained.add(match.isPresent() ? covered(match.get(), request, path, table)
					: uncovered(rule, request, path, table));
		}
		return explained;
	}

	@Override
	public Map<String, Long> matched() {
		return this.routes.get().byPath().matched().counts();
	}

	private Explained covered(Match match, DescribedRequest request, PathContainer path, RouteTable table) {
		RLConfig rule = match.route().rule().config();
		if (table.isExempt(path)) {
			return no(rule, "the path is exempt by ratelimit.exempt.paths");
		}
		if (this.exemptAddresses.contain(request::address)) {
			return no(rule, "the address is exempt by ratelimit.exempt.addresses");
		}
		return new DescribedMatch(match, request, this.subjects).explain();
	}

	private static Explained uncovered(RLConfig rule, DescribedRequest request, PathContainer path, RouteTable table) {
		if (!rule.enabled()) {
			return no(rule, "it is disabled");
		}
		if (rule.requests().paths().isEmpty()) {
			return new Explained(rule, Applies.UNKNOWN, "it has no paths: it applies only where code names it",
					Optional.empty());
		}
		List<String> reasons = new ArrayList<>(2);
		if (!table.coversMethod(rule, request.method())) {
			reasons.add("the method " + request.method() + " is none of "
					+ rule.requests().methods().stream().sorted().toList());
		}
		String anyMethod = rule.requests().methods().stream().findFirst().orElse(request.method());
		if (table.covering(path, anyMethod).stream().noneMatch((one) -> one.route().rule().id().equals(rule.id()))) {
			reasons.add(table.isOfActuator(path)
					? "paths of Actuator are left out unless a pattern starts with that of an endpoint or with the base path"
					: "the path matches none of " + rule.requests().paths());
		}
		return no(rule, String.join("; ", reasons));
	}

	private static Explained no(RLConfig rule, String reason) {
		return new Explained(rule, Applies.NO, reason, Optional.empty());
	}

}
