package dev.ratelimit.actuate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import dev.ratelimit.actuate.descriptor.ClientDescriptor;
import dev.ratelimit.actuate.descriptor.RuleDescriptor;
import dev.ratelimit.actuate.descriptor.RuleInForceDescriptor;
import dev.ratelimit.actuate.descriptor.RulesDescriptor;
import dev.ratelimit.actuate.descriptor.SourceDescriptor;
import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.insight.DecisionTotals;
import dev.ratelimit.limiter.insight.HeaviestClients;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.live.RuleLayers;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * Shows the rules in force with all their settings, including those left at their
 * default, and the usage of single clients, without acquiring permits. Read-only by
 * default; with unrestricted access, clients can be reset over HTTP. Clients are shown as
 * hashes unless values may be shown.
 */
@Endpoint(id = "ratelimits", defaultAccess = Access.READ_ONLY)
public final class RateLimitsEndpoint {

	/** Reserved: no rule can have this id. */
	private static final String EXPLAIN = "explain";

	private final Supplier<CompiledRules> rules;

	private final RuleLayers layers;

	private final ClientOperations clients;

	private final ExplainOperation explanation;

	private final DecisionTotals totals;

	private final QueueOperations queues;

	private final String store;

	private final boolean enabled;

	private final Show showValues;

	/**
	 * Create the endpoint.
	 * @param rules the rules in force
	 * @param layers the sources of the rules
	 * @param clients inspects clients
	 * @param explanation explains requests
	 * @param totals provides the totals of the decisions
	 * @param queues inspects the queues of rules
	 * @param store the name of the store
	 * @param enabled whether rules are enforced at all
	 * @param showValues when addresses of clients are shown
	 */
	public RateLimitsEndpoint(Supplier<CompiledRules> rules, RuleLayers layers, ClientOperations clients,
			ExplainOperation explanation, DecisionTotals totals, QueueOperations queues, String store, boolean enabled,
			Show showValues) {
		this.rules = rules;
		this.layers = layers;
		this.clients = clients;
		this.explanation = explanation;
		this.totals = totals;
		this.queues = queues;
		this.store = store;
		this.enabled = enabled;
		this.showValues = showValues;
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
	public OperationResponseBody rule(@Selector String rule, @Nullable String method, @Nullable String path,
			@Nullable String key, @Nullable String ip, @Nullable String plan) {
		return rule(rule, method, path, key, ip, plan, this.showValues == Show.ALWAYS);
	}

	OperationResponseBody rule(String rule, @Nullable String method, @Nullable String path, @Nullable String key,
			@Nullable String ip, @Nullable String plan, boolean showValues) {
		if (rule.equals(EXPLAIN)) {
			return this.explanation.explain(method, path, key, ip, plan, showValues);
		}
		if (key != null || ip != null) {
			return this.clients.inspect(this.clients.byKey(rule, key, ip, plan), showValues);
		}
		RLConfig config = known(rule);
		Optional<HeaviestClients> heaviest = this.clients.heaviest(rule);
		return new RuleInForceDescriptor(RuleDescriptor.of(config, this.explanation.matched()), source(rule),
				this.totals.of(rule), heaviest.map(HeaviestClients::since).orElse(null),
				heaviest.map((clients) -> this.clients.describe(clients, showValues)).orElse(null),
				this.queues.status(config).orElse(null));
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
	 * @param rule the id of the rule
	 * @param hash the hash of the client
	 * @param plan the plan of the client
	 * @return its usage
	 */
	@ReadOperation
	public ClientDescriptor client(@Selector String rule, @Selector String hash, @Nullable String plan) {
		return client(rule, hash, plan, this.showValues == Show.ALWAYS);
	}

	ClientDescriptor client(String rule, String hash, @Nullable String plan, boolean showValues) {
		return this.clients.inspect(this.clients.byHash(rule, hash, plan), showValues);
	}

	void reset(String rule, String hash, SecurityContext operator) {
		this.clients.reset(this.clients.byHash(rule, hash, null), operator);
	}

	void retry(String rule, String id) {
		this.queues.retry(known(rule), id);
	}

	void resetByKey(String rule, @Nullable String key, @Nullable String ip, SecurityContext operator) {
		this.clients.reset(this.clients.byKey(rule, key, ip, null), operator);
	}

}
