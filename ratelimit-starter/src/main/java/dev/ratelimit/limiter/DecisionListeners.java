package dev.ratelimit.limiter;

import java.util.List;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.support.DaemonThreads;
import dev.ratelimit.support.Listeners;

/**
 * Combines several listeners.
 */
final class DecisionListeners implements DecisionListener {

	private final Listeners<DecisionListener> listeners;

	private final boolean timed;

	DecisionListeners(List<DecisionListener> listeners) {
		this.listeners = new Listeners<>("decision listener", listeners);
		this.timed = listeners.stream().anyMatch(this::isTimed);
	}

	private boolean isTimed(DecisionListener listener) {
		try {
			return listener.isTimed();
		}
		catch (Throwable ex) {
			this.listeners.failed(listener, ex);
			return true;
		}
	}

	@Override
	public boolean isTimed() {
		return this.timed;
	}

	/** Called for every request, so it allocates nothing. */
	@Override
	public void decided(RuleRequest ruleRequest, RateLimitDecision decision, Outcome outcome, long nanos) {
		if (DaemonThreads.isCurrent()) {
			this.listeners.report((listener) -> listener.decided(ruleRequest, decision, outcome, nanos));
			return;
		}
		List<DecisionListener> all = this.listeners.all();
		for (int i = 0; i < all.size(); i++) {
			try {
				all.get(i).decided(ruleRequest, decision, outcome, nanos);
			}
			catch (Throwable ex) {
				this.listeners.failed(all.get(i), ex);
			}
		}
	}

	@Override
	public void undecided(String rule, Outcome outcome) {
		this.listeners.report((listener) -> listener.undecided(rule, outcome));
	}

	@Override
	public void late(String rule) {
		this.listeners.report((listener) -> listener.late(rule));
	}

	@Override
	public void unreached(String rule) {
		this.listeners.report((listener) -> listener.unreached(rule));
	}

	@Override
	public void released(String rule, boolean acknowledged) {
		this.listeners.report((listener) -> listener.released(rule, acknowledged));
	}

	@Override
	public void waits(String rule) {
		this.listeners.report((listener) -> listener.waits(rule));
	}

	@Override
	public void waited(String rule, long nanos) {
		this.listeners.report((listener) -> listener.waited(rule, nanos));
	}

	@Override
	public void beanFailed(String rule, String property) {
		this.listeners.report((listener) -> listener.beanFailed(rule, property));
	}

}
