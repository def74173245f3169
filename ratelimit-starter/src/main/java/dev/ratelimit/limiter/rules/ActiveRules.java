package dev.ratelimit.limiter.rules;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;

import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.rule.RuleSet;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The rules in force. They are replaced as a whole: a caller that reads them once sees
 * one rule set, however long it uses it. What was compiled from the old rule set is
 * dropped with it, except for unchanged rules. The first rule set reaches validators and
 * listeners as every later one does.
 */
public final class ActiveRules implements Supplier<CompiledRules> {

	private static final Log logger = LogFactory.getLog(ActiveRules.class);

	private final BiFunction<RuleSet, Optional<CompiledRules>, CompiledRules> compiler;

	/** Held while rules are replaced, but not for a listener that begins to follow. */
	private final Object replacing = new Object();

	private final List<RuleSetListener> listeners = new ArrayList<>();

	private volatile List<RuleSetValidator> validators = List.of();

	private volatile CompiledRules current;

	/**
	 * Bring the first rules into force.
	 * @param rules the rules
	 * @param compiler compiles rules; also receives the result of its last run
	 * @throws RuntimeException if they cannot be compiled
	 */
	public ActiveRules(RuleSet rules, BiFunction<RuleSet, Optional<CompiledRules>, CompiledRules> compiler) {
		this.compiler = compiler;
		this.current = compiler.apply(rules, Optional.empty());
	}

	/** Costs a volatile read. */
	@Override
	public CompiledRules get() {
		return this.current;
	}

	/**
	 * Check the rules in force, and each later rule set before any listener prepares.
	 * @param validators the checks
	 * @throws RuntimeException if they refuse the rules in force
	 */
	public void validate(List<RuleSetValidator> validators) {
		this.validators = List.copyOf(validators);
		validators.forEach((validator) -> validator.check(this.current));
	}

	/**
	 * Bring the rules in force to a component, and each later rule set.
	 * @param <L> the type of the component
	 * @param listener the component, which has the rules in force when this returns
	 * @return the component
	 * @throws RuntimeException if it cannot work with the rules in force
	 */
	public <L extends RuleSetListener> L follow(L listener) {
		return add(listener, false);
	}

	/**
	 * As {@link #follow}, but it changes before all others. So a component that records
	 * decisions misses none of a new rule.
	 * @param <L> the type of the component
	 * @param listener the component
	 * @return the component
	 */
	public <L extends RuleSetListener> L followFirst(L listener) {
		return add(listener, true);
	}

	/** A listener may create beans while it prepares, so no lock is held then. */
	private <L extends RuleSetListener> L add(L listener, boolean first) {
		CompiledRules rules;
		do {
			rules = this.current;
		}
		while (!add(listener, first, rules, listener.prepare(rules)));
		return listener;
	}

	private synchronized boolean add(RuleSetListener listener, boolean first, CompiledRules rules, Runnable change) {
		if (this.current != rules) {
			return false;
		}
		change.run();
		this.listeners.add(first ? 0 : this.listeners.size(), listener);
		return true;
	}

	/**
	 * Bring other rules into force: all of them, or none if they cannot be compiled, a
	 * validator refuses them or a listener cannot work with them. All listeners prepare
	 * before the first one changes.
	 * @param rules the rules
	 * @throws RuntimeException if the rules do not come into force
	 */
	public void replace(RuleSet rules) {
		synchronized (this.replacing) {
			CompiledRules next = this.compiler.apply(rules, Optional.of(this.current));
			this.validators.forEach((validator) -> validator.check(next));
			IdentityHashMap<RuleSetListener, Runnable> changes = new IdentityHashMap<>();
			do {
				for (RuleSetListener listener : listeners()) {
					if (!changes.containsKey(listener)) {
						changes.put(listener, listener.prepare(next));
					}
				}
			}
			while (!change(next, changes));
		}
	}

	private synchronized List<RuleSetListener> listeners() {
		return List.copyOf(this.listeners);
	}

	/** Whether all have prepared; others may have begun to follow meanwhile. */
	private synchronized boolean change(CompiledRules next, IdentityHashMap<RuleSetListener, Runnable> changes) {
		if (!changes.keySet().containsAll(this.listeners)) {
			return false;
		}
		for (RuleSetListener listener : this.listeners) {
			try {
				Objects.requireNonNull(changes.get(listener)).run();
			}
			catch (Throwable ex) {
				// The others must follow all the same.
				logger.warn(
						"New rate limit rules are in force, but a part of the limiter could not take them over and may "
								+ "still use the old ones: restart this instance",
						ex);
			}
		}
		this.current = next;
		return true;
	}

}
