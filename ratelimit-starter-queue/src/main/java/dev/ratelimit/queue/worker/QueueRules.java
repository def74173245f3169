package dev.ratelimit.queue.worker;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import dev.ratelimit.queue.Enqueue;
import dev.ratelimit.queue.Enqueue.EnqueueKind;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.spi.ModuleRules;
import dev.ratelimit.store.Limit;

/**
 * The rules in force that enqueue requests. Safe for concurrent use.
 */
public final class QueueRules implements ModuleRules {

	private final Consumer<RLConfig> check;

	private final List<Consumer<RuleSet>> followers = new ArrayList<>();

	private RuleSet inForce = new RuleSet(List.of());

	private volatile Map<String, Enqueue> terms = Map.of();

	/**
	 * Create it without rules.
	 * @param check throws an exception for a rule that enqueues requests that nothing
	 * stores or handles
	 */
	public QueueRules(Consumer<RLConfig> check) {
		this.check = check;
	}

	@Override
	public List<EnqueueKind> choices() {
		return List.of(EnqueueKind.ENQUEUE);
	}

	@Override
	public void check(List<RLConfig> rules) {
		rules.stream()
			.filter((rule) -> rule.enforcement().onLimit() instanceof Enqueue)
			.findFirst()
			.ifPresent(this.check);
	}

	/** A rule enqueues once its followers know it. */
	@Override
	public synchronized void follow(RuleSet rules, List<Limit> limits) {
		Map<String, Enqueue> terms = new LinkedHashMap<>();
		for (RLConfig rule : rules.enabled()) {
			if (rule.enforcement().onLimit() instanceof Enqueue enqueue) {
				terms.put(rule.id(), enqueue);
			}
		}
		try {
			this.inForce = rules;
			this.followers.forEach((follower) -> follower.accept(rules));
		}
		finally {
			this.terms = terms;
		}
	}

	/**
	 * Pass the rules in force to a follower, and each later rule set.
	 * @param follower receives them
	 */
	public synchronized void onChange(Consumer<RuleSet> follower) {
		this.followers.add(follower);
		follower.accept(this.inForce);
	}

	/** The ids of the rules that enqueue. */
	List<String> ids() {
		return List.copyOf(this.terms.keySet());
	}

	/** How a rule enqueues; empty if it does not by now. */
	Optional<Enqueue> terms(String rule) {
		return Optional.ofNullable(this.terms.get(rule));
	}

	/**
	 * Whether a rule enqueues.
	 * @param rule its id
	 * @return whether it does by now
	 */
	public boolean enqueues(String rule) {
		return this.terms.containsKey(rule);
	}

}
