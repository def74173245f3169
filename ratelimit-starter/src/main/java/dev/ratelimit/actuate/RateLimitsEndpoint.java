package dev.ratelimit.actuate;

import java.util.Optional;
import java.util.function.Supplier;

import dev.ratelimit.actuate.descriptor.ClientDescriptor;
import dev.ratelimit.actuate.descriptor.EvidenceDescriptor;
import dev.ratelimit.actuate.descriptor.RuleDescriptor;
import dev.ratelimit.actuate.descriptor.RuleInForceDescriptor;
import dev.ratelimit.actuate.descriptor.RulesDescriptor;
import dev.ratelimit.actuate.descriptor.SourceDescriptor;
import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.insight.Insights;
import dev.ratelimit.limiter.insight.RuleInsight;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.live.RuleLayers;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * Shows the rules in force with every setting that applies, also those left at their
 * default, and what single clients have used, without taking anything. Read-only unless
 * its access says otherwise: then clients may be forgotten, over HTTP. Clients are hashes
 * where values are not to be shown.
 */
@Endpoint(id = "ratelimits", defaultAccess = Access.READ_ONLY)
public final class RateLimitsEndpoint {

	private final Supplier<CompiledRules> rules;

	private final RuleLayers layers;

	private final ClientOperations clients;

	private final Insights insights;

	private final String store;

	private final boolean enabled;

	private final Show showValues;

	/**
	 * Create the endpoint.
	 * @param rules the rules in force
	 * @param layers the places they come from
	 * @param clients looks at clients
	 * @param insights knows what was seen of each rule
	 * @param store the name of the store
	 * @param enabled whether rules are enforced at all
	 * @param showValues when addresses of clients are shown
	 */
	public RateLimitsEndpoint(Supplier<CompiledRules> rules, RuleLayers layers, ClientOperations clients,
			Insights insights, String store, boolean enabled, Show showValues) {
		this.rules = rules;
		this.layers = layers;
		this.clients = clients;
		this.insights = insights;
		this.store = store;
		this.enabled = enabled;
		this.showValues = showValues;
	}

	/**
	 * Show the rules.
	 * @return all rules, the disabled ones too
	 */
	@ReadOperation
	public RulesDescriptor rules() {
		return new RulesDescriptor(this.enabled, this.store,
				this.layers.layers().stream().map(SourceDescriptor::of).toList(),
				this.rules.get().ruleSet().rules().stream().map(RuleDescriptor::of).toList());
	}

	/**
	 * Show one rule, or one client of it that is named by what it is counted by.
	 * @param rule the id of the rule
	 * @param key the values of the rule's key, in their order, with commas between them
	 * @param ip the address of a client that is counted by it for lack of the key
	 * @param plan the plan of the client
	 * @return the rule, or with {@code key} or {@code ip} the client
	 */
	@ReadOperation
	public OperationResponseBody rule(@Selector String rule, @Nullable String key, @Nullable String ip,
			@Nullable String plan) {
		return rule(rule, key, ip, plan, this.showValues == Show.ALWAYS);
	}

	OperationResponseBody rule(String rule, @Nullable String key, @Nullable String ip, @Nullable String plan,
			boolean showValues) {
		if (key != null || ip != null) {
			return this.clients.look(this.clients.byKey(rule, key, ip, plan), showValues);
		}
		CompiledRules rules = this.rules.get();
		RLConfig config = rules.ruleSet().find(rule).orElseThrow(() -> ClientOperations.unknown(rule, rules));
		Optional<RuleInsight> insight = this.insights.find(rule);
		return new RuleInForceDescriptor(RuleDescriptor.of(config), source(rule),
				insight.map(RuleInsight::since).orElse(null),
				insight.map((seen) -> this.clients.heaviest(seen, showValues)).orElse(null),
				insight.map((seen) -> EvidenceDescriptor.of(seen.evidence())).orElse(null));
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
	 * @param hash the hash that stands for the client
	 * @param plan the plan of the client
	 * @return what it has used
	 */
	@ReadOperation
	public ClientDescriptor client(@Selector String rule, @Selector String hash, @Nullable String plan) {
		return client(rule, hash, plan, this.showValues == Show.ALWAYS);
	}

	ClientDescriptor client(String rule, String hash, @Nullable String plan, boolean showValues) {
		return this.clients.look(this.clients.byHash(rule, hash, plan), showValues);
	}

	void reset(String rule, String hash) {
		this.clients.reset(this.clients.byHash(rule, hash, null));
	}

	void resetByKey(String rule, @Nullable String key, @Nullable String ip) {
		this.clients.reset(this.clients.byKey(rule, key, ip, null));
	}

}
