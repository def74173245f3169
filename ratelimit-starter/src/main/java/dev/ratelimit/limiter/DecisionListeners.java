package dev.ratelimit.limiter;

import java.util.List;
import java.util.function.Consumer;

import dev.ratelimit.RateLimitDecision;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Combines several listeners and catches the exceptions of each.
 */
final class DecisionListeners implements DecisionListener {

	private static final Log logger = LogFactory.getLog(DecisionListeners.class);

	private final List<DecisionListener> listeners;

	DecisionListeners(List<DecisionListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	@Override
	public void decided(RateLimitDecision decision, Outcome outcome, long nanos) {
		report((listener) -> listener.decided(decision, outcome, nanos));
	}

	/** Called for every request, so it allocates nothing. */
	@Override
	public void decided(RuleDecision decided, Outcome outcome, long nanos) {
		for (int i = 0; i < this.listeners.size(); i++) {
			try {
				this.listeners.get(i).decided(decided, outcome, nanos);
			}
			catch (RuntimeException ex) {
				failed(ex);
			}
		}
	}

	@Override
	public void undecided(String rule, Outcome outcome) {
		report((listener) -> listener.undecided(rule, outcome));
	}

	@Override
	public void late(String rule) {
		report((listener) -> listener.late(rule));
	}

	@Override
	public void released(String rule, boolean acknowledged) {
		report((listener) -> listener.released(rule, acknowledged));
	}

	@Override
	public void waits(String rule) {
		report((listener) -> listener.waits(rule));
	}

	@Override
	public void waited(String rule, long nanos) {
		report((listener) -> listener.waited(rule, nanos));
	}

	@Override
	public void beanFailed(String rule, String property) {
		report((listener) -> listener.beanFailed(rule, property));
	}

	private void report(Consumer<DecisionListener> event) {
		for (DecisionListener listener : this.listeners) {
			try {
				event.accept(listener);
			}
			catch (RuntimeException ex) {
				failed(ex);
			}
		}
	}

	private static void failed(RuntimeException ex) {
		logger.debug("A decision listener failed", ex);
	}

}
