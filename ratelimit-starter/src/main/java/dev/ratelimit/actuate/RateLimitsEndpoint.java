package dev.ratelimit.actuate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

import dev.ratelimit.actuate.descriptor.RuleDescriptor;
import dev.ratelimit.actuate.descriptor.RuleInForceDescriptor;
import dev.ratelimit.actuate.descriptor.RulesDescriptor;
import dev.ratelimit.actuate.descriptor.SourceDescriptor;
import dev.ratelimit.actuate.insight.DecisionTotals;
import dev.ratelimit.actuate.insight.HeaviestClients;
import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.live.RuleLayers;
import dev.ratelimit.spi.EndpointPart;
import dev.ratelimit.spi.EndpointPart.Retry;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/**
 * Shows the rules in force with all their settings, including those left at their
 * default, and the usage of single clients, without acquiring permits. Read-only by
 * default; with unrestricted access, clients can be reset. Clients are shown as hashes
 * unless values may be shown. Only over HTTP, where every error has a status.
 */
@WebEndpoint(id = "ratelimits", defaultAccess = Access.READ_ONLY)
public final class RateLimitsEndpoint {

	/** Reserved: no rule can have this id. */
	private static final String EXPLAIN = "explain";

	private final Supplier<CompiledRules> rules;

	private final RuleLayers layers;

	private final ClientOperations clients;

	private final ExplainOperation explanation;

	private final DecisionTotals totals;

	private final Optional<EndpointPart> part;

	private final String store;

	private final boolean enabled;

	private final Predicate<SecurityContext> showsValues;

	/**
	 * Create the endpoint.
	 * @param rules the rules in force
	 * @param layers the sources of the rules
	 * @param clients inspects clients
	 * @param explanation explains requests
	 * @param totals provides the totals of the decisions
	 * @param part what a module shows of requests that it handles later
	 * @param store the name of the store
	 * @param enabled whether rules are enforced at all
	 * @param showsValues whether a caller is shown the addresses of clients
	 */
	public RateLimitsEndpoint(Supplier<CompiledRules> rules, RuleLayers layers, ClientOperations clients,
			ExplainOperation explanation, DecisionTotals totals, Optional<EndpointPart> part, String store,
			boolean enabled, Predicate<SecurityContext> showsValues) {
		this.rules = rules;
		this.layers = layers;
		this.clients = clients;
		this.explanation = explanation;
		this.totals = totals;
		this.part = part;
		this.store = store;
		this.enabled = enabled;
		this.showsValues = showsValues;
	}

	/**
	 * Show the rules.
	 * @return all rules, including disabled ones
	 */
	@ReadOperation
	public RulesDescriptor rules() {
		List<RLConfig> rules = this.rules.get().ruleSet().rules();
		Map<String, Long> matched = this.explanation.matched();
		return new RulesDescriptor(this.enabled, this.store,
				this.layers.layers().stream().map(SourceDescriptor::of).toList(),
				rules.stream().map((rule) -> RuleDescriptor.of(rule, matched)).toList(), totals(rules));
	}

	private Map<String, Map<String, Long>> totals(List<RLConfig> rules) {
		Map<String, Map<String, Long>> totals = new LinkedHashMap<>();
		rules.forEach((rule) -> totals.put(rule.id(), this.totals.of(rule.id())));
		return totals;
	}

	/**
	 * Show one rule or one of its clients, or explain how all rules apply to a request.
	 * @param context the security context of the caller
	 * @param rule the id of the rule, or {@value #EXPLAIN}
	 * @param method the method of the request to explain, by default {@code GET}
	 * @param path the path of the request to explain
	 * @param key the values of the rule's key in their order, separated by commas; to
	 * explain a request, those values that neither the path nor the address provides
	 * @param ip the address of a client that is counted by it, also because it lacks the
	 * key
	 * @param plan the plan of the client
	 * @return the rule; with {@code key} or {@code ip} the client; or the explanation
	 */
	@ReadOperation
	public WebEndpointResponse<OperationResponseBody> rule(SecurityContext context, @Selector String rule,
			@Nullable String method, @Nullable String path, @Nullable String key, @Nullable String ip,
			@Nullable String plan) {
		boolean showValues = this.showsValues.test(context);
		return answer(() -> {
			if (rule.equals(EXPLAIN)) {
				return this.explanation.explain(method, path, key, ip, plan, showValues);
			}
			if (key != null || ip != null) {
				return this.clients.inspect(this.clients.byKey(rule, key, ip, plan), showValues);
			}
			return describe(known(rule), showValues);
		});
	}

	private RuleInForceDescriptor describe(RLConfig rule, boolean showValues) {
		Optional<HeaviestClients> heaviest = this.clients.heaviest(rule.id());
		return new RuleInForceDescriptor(RuleDescriptor.of(rule, this.explanation.matched()), source(rule.id()),
				this.totals.of(rule.id()), heaviest.map(HeaviestClients::since).orElse(null),
				heaviest.map((clients) -> this.clients.describe(clients, showValues)).orElse(null),
				this.part.flatMap((part) -> part.describe(rule)).orElse(null));
	}

	private RLConfig known(String rule) {
		CompiledRules rules = this.rules.get();
		return rules.ruleSet().find(rule).orElseThrow(() -> ClientOperations.unknown(rule, rules));
	}

	private @Nullable String source(String rule) {
		return this.layers.layers()
			.stream()
			.filter((layer) -> layer.rules().find(rule).isPresent())
			.findFirst()
			.map((layer) -> layer.origin().text())
			.orElse(null);
	}

	/**
	 * Show one client.
	 * @param context the security context of the caller
	 * @param rule the id of the rule
	 * @param hash the hash of the client
	 * @param plan the plan of the client
	 * @return its usage
	 */
	@ReadOperation
	public WebEndpointResponse<OperationResponseBody> client(SecurityContext context, @Selector String rule,
			@Selector String hash, @Nullable String plan) {
		return answer(
				() -> this.clients.inspect(this.clients.byHash(rule, hash, plan), this.showsValues.test(context)));
	}

	/**
	 * Reset a client, so it has the whole limit again: at once on this instance, and on
	 * others when their cached refusals, leases or synced counters expire.
	 * @param context the security context of the caller, for the audit
	 * @param rule the id of the rule
	 * @param hash the hash of the client
	 * @return the response, without a body if the client was reset
	 */
	@DeleteOperation
	public WebEndpointResponse<OperationResponseBody> reset(SecurityContext context, @Selector String rule,
			@Selector String hash) {
		return done(() -> this.clients.reset(this.clients.byHash(rule, hash, null), context));
	}

	/**
	 * Reset a client that is identified by its key or address.
	 * @param context the security context of the caller, for the audit
	 * @param rule the id of the rule
	 * @param key the values of the rule's key
	 * @param ip the address of a client that is counted by it
	 * @return the response, without a body if the client was reset
	 */
	@DeleteOperation
	public WebEndpointResponse<OperationResponseBody> resetByKey(SecurityContext context, @Selector String rule,
			@Nullable String key, @Nullable String ip) {
		return done(() -> this.clients.reset(this.clients.byKey(rule, key, ip, null), context));
	}

	/**
	 * Retry a dead letter. It is enqueued behind the other requests of its key, with as
	 * many attempts as a new request.
	 * @param rule the id of the rule
	 * @param id the id of the request
	 * @return the response, without a body if the request is in the queue again
	 */
	@WriteOperation
	public WebEndpointResponse<OperationResponseBody> retry(@Selector String rule, @Selector String id) {
		return done(() -> {
			RLConfig known = known(rule);
			switch (this.part.map((part) -> part.retry(known, id)).orElse(Retry.UNKNOWN)) {
				case DONE -> {
				}
				case UNKNOWN -> throw OperatorException
					.notFound("There is no such dead letter. GET /actuator/ratelimits/{rule} shows them");
				case NO_REPLY -> throw OperatorException.unavailable("The store does not answer. Try again");
			}
		});
	}

	private static WebEndpointResponse<OperationResponseBody> answer(Supplier<OperationResponseBody> work) {
		try {
			return new WebEndpointResponse<>(work.get());
		}
		catch (OperatorException ex) {
			return error(ex);
		}
	}

	private static WebEndpointResponse<OperationResponseBody> done(Runnable work) {
		try {
			work.run();
			return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NO_CONTENT);
		}
		catch (OperatorException ex) {
			return error(ex);
		}
	}

	private static WebEndpointResponse<OperationResponseBody> error(OperatorException ex) {
		return new WebEndpointResponse<>(new ErrorDescriptor(String.valueOf(ex.getMessage())), ex.status());
	}

	/**
	 * The error of a failed operation.
	 *
	 * @param error the reason and the cure
	 */
	public record ErrorDescriptor(String error) implements OperationResponseBody {
	}

}
