package dev.ratelimit.limiter;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.OnLimit;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.WaitRange;

/**
 * A rule with everything that can be computed before a request arrives. A changed rule
 * brings new instances; an unchanged one keeps its own, unless its refusals become final
 * or cease to be. It has an identity: what is recorded and cached of a rule belongs to
 * this object, not to an equal one.
 */
public final class CompiledRule {

	private final RLConfig config;

	private final CompiledAllowance.CompiledLimited standard;

	private final Map<String, CompiledAllowance> plans = new HashMap<>();

	private final Overrides overrides;

	private final boolean finalRefusals;

	private final Optional<WaitRange> turn;

	private final Reach reach = new Reach();

	private CompiledRule(RLConfig config, int ipv6Prefix, boolean finalRefusals) {
		this.config = config;
		this.finalRefusals = finalRefusals;
		this.turn = (config.enforcement().onLimit() instanceof OnLimit.Delay delay)
				? Optional.of(new WaitRange(0, delay.maxWait().toNanos() / 1000, delay.maxQueue())) : Optional.empty();
		this.standard = new CompiledAllowance.CompiledLimited(Limit.of(config));
		config.allowances()
			.plans()
			.allowances()
			.forEach((plan, allowance) -> this.plans.put(plan, CompiledAllowance.of(config, allowance, Limit::of)));
		this.overrides = new Overrides(config, ipv6Prefix);
	}

	/**
	 * Compile a rule.
	 * @param config the rule
	 * @param ipv6Prefix how many bits of an IPv6 address identify a client
	 * @param finalRefusals whether its refusals are final, and may be repeated from
	 * memory
	 * @return the compiled rule
	 * @throws InvalidRuleException if an override for {@code ip} is not an address or
	 * range, or names only a part of what is counted as one client
	 */
	public static CompiledRule of(RLConfig config, int ipv6Prefix, boolean finalRefusals) {
		return new CompiledRule(config, ipv6Prefix, finalRefusals);
	}

	/**
	 * The configuration that was compiled.
	 * @return the rule
	 */
	public RLConfig config() {
		return this.config;
	}

	/**
	 * The id of the rule.
	 * @return its id
	 */
	public String id() {
		return this.config.id();
	}

	/**
	 * Whether requests reach it.
	 * @return the requests that did, and those that did not
	 */
	public Reach reach() {
		return this.reach;
	}

	/**
	 * Whether its refusals may be repeated from memory.
	 * @return whether they are final
	 */
	public boolean hasFinalRefusals() {
		return this.finalRefusals;
	}

	/**
	 * How long requests may wait for a turn under this rule.
	 * @return the bounds of the wait; empty unless the rule delays
	 */
	public Optional<WaitRange> turn() {
		return this.turn;
	}

	/**
	 * Whether callers can wait for a turn under this rule, for as long as they choose.
	 * @return whether it gives turns that only the caller's wait bounds
	 */
	public boolean givesTurns() {
		return this.standard.limit().givesTurns() && !this.standard.limit().paces();
	}

	/**
	 * The allowance of every client without a plan or override.
	 * @return the thresholds of the rule
	 */
	public CompiledAllowance.CompiledLimited standard() {
		return this.standard;
	}

	/**
	 * The most permits that one request without a plan or override can acquire.
	 * @return the smallest capacity of its thresholds, and at most 100 of a log
	 */
	public long largestCost() {
		return this.standard.limit().largestCost();
	}

	/**
	 * Every limit that the rule itself has. One that belongs to a single caller is not
	 * among them, so nothing may look up an allowance here.
	 * @return the limits of its thresholds, plans and overrides
	 */
	public List<CompiledAllowance.CompiledLimited> limits() {
		List<CompiledAllowance> all = new ArrayList<>(this.plans.values());
		all.add(this.standard);
		all.addAll(this.overrides.allowances());
		return all.stream()
			.filter(CompiledAllowance.CompiledLimited.class::isInstance)
			.map(CompiledAllowance.CompiledLimited.class::cast)
			.toList();
	}

	/**
	 * The allowance of a client: that of its override, else that of its plan, else the
	 * thresholds of the rule.
	 * @param key the key of the client, one value per key source
	 * @param plan the plan, in any letter case
	 * @return the allowance
	 */
	public CompiledAllowance allowance(List<String> key, Optional<String> plan) {
		return this.overrides.find(key).orElseGet(() -> allowance(plan));
	}

	/**
	 * The allowance of a client of which only the subject is known.
	 * @param subject the client
	 * @param encoding makes the subject of a key
	 * @param plan the plan, in any letter case
	 * @return the allowance
	 */
	CompiledAllowance allowance(Subject subject, Function<List<String>, Subject> encoding, Optional<String> plan) {
		return this.overrides.find(subject, encoding).orElseGet(() -> allowance(plan));
	}

	/**
	 * The allowance of a client without a key.
	 * @param plan the plan, in any letter case
	 * @return the allowance of the plan, else the thresholds of the rule
	 */
	public CompiledAllowance allowance(Optional<String> plan) {
		return plan.map((name) -> this.plans.get(name.toLowerCase(Locale.ROOT))).orElse(this.standard);
	}

}
