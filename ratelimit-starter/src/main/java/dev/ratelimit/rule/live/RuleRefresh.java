package dev.ratelimit.rule.live;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.support.Listeners;
import dev.ratelimit.support.LogFields;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.function.SingletonSupplier;

/**
 * Brings changed rules into force. Each source is handled separately: a source that
 * cannot be read, or whose rules cannot be brought into force, keeps its last valid rules
 * and does not hold up any other source.
 */
public final class RuleRefresh {

	private static final Logger logger = LoggerFactory.getLogger(RuleRefresh.class);

	private static final int MAX_REASON_LENGTH = 4000;

	private final RuleLayers layers;

	private final Consumer<RuleSet> force;

	private final SingletonSupplier<Listeners<RulesListener>> listeners;

	private final Consumer<Object> publisher;

	/** Held while sources are read, which may take long. */
	private final Object reads = new Object();

	/**
	 * Create a refresh.
	 * @param layers the sources, all read once
	 * @param force brings rules into force, all or none; throws if it cannot
	 * @param listeners notified of the results; looked up with the first one, as they may
	 * make limiters
	 * @param publisher publishes {@link RateLimitRulesChangedEvent} and
	 * {@link RateLimitRulesRefusedEvent}; does not throw
	 */
	public RuleRefresh(RuleLayers layers, Consumer<RuleSet> force, Supplier<List<RulesListener>> listeners,
			Consumer<Object> publisher) {
		this.layers = layers;
		this.force = force;
		this.listeners = SingletonSupplier.of(() -> new Listeners<>("rules listener", listeners.get()));
		this.publisher = publisher;
	}

	/**
	 * Refresh all sources now. Changed rules are in force when this returns. Throws
	 * nothing.
	 */
	public void refresh() {
		synchronized (this.reads) {
			Map<RuleLayer, RuleSet> read = new LinkedHashMap<>();
			for (RuleLayer layer : this.layers.live()) {
				try {
					read.put(layer, layer.read());
				}
				catch (Throwable ex) {
					refuse(layer, ex);
				}
			}
			bringIntoForce(read);
		}
	}

	private synchronized void bringIntoForce(Map<RuleLayer, RuleSet> read) {
		Map<RuleLayer, RuleSet> changed = new LinkedHashMap<>();
		read.forEach((layer, rules) -> {
			if (!rules.equals(layer.rules())) {
				changed.put(layer, rules);
			}
			else {
				accept(layer, rules);
			}
		});
		if (!changed.isEmpty() && !apply(changed) && changed.size() > 1) {
			changed.forEach((layer, rules) -> apply(Map.of(layer, rules)));
		}
	}

	/**
	 * Bring the rules of all sources into force again, because rules that are joined with
	 * them have changed. No source is read, and no source that is being read is awaited.
	 * @param addition changes the joined rules; returns whether it has
	 * @param removal undoes the change if the rules cannot be brought into force
	 */
	public synchronized void include(BooleanSupplier addition, Runnable removal) {
		if (addition.getAsBoolean()) {
			try {
				this.force.accept(this.layers.rules());
			}
			catch (Throwable ex) {
				removal.run();
				throw ex;
			}
		}
	}

	/** Applied together, so that a rule may move from one source to another. */
	private boolean apply(Map<RuleLayer, RuleSet> changed) {
		RuleChanges changes = new RuleChanges(this.layers.rules(), this.layers.with(changed));
		try {
			this.force.accept(changes.after());
		}
		catch (Throwable ex) {
			if (changed.size() == 1) {
				changed.keySet().forEach((layer) -> refuse(layer, ex));
			}
			return false;
		}
		changed.forEach(this::accept);
		List<String> places = changed.keySet().stream().map(RuleLayer::description).toList();
		RateLimitRulesChangedEvent event = changes.event();
		logger.atInfo()
			.addKeyValue(LogFields.SOURCE, changed.keySet().stream().map((layer) -> layer.origin().text()).toList())
			.addKeyValue(LogFields.ADDED, event.added())
			.addKeyValue(LogFields.CHANGED, event.changed())
			.addKeyValue(LogFields.REMOVED, event.removed())
			.log("Rate limit rules have changed (%s): %s".formatted(String.join(", ", places), changes));
		changed.keySet()
			.forEach((layer) -> this.listeners.obtain().report((listener) -> listener.changed(layer.origin())));
		this.publisher.accept(event);
		return true;
	}

	private void accept(RuleLayer layer, RuleSet rules) {
		if (layer.failure().isPresent()) {
			logger.atInfo()
				.addKeyValue(LogFields.SOURCE, layer.origin().text())
				.log("Rate limit rules of " + layer.description() + " are valid again");
		}
		layer.accept(rules);
	}

	private void refuse(RuleLayer layer, Throwable cause) {
		String message = String.valueOf((cause.getMessage() != null) ? cause.getMessage() : cause);
		String reason = (message.length() > MAX_REASON_LENGTH) ? message.substring(0, MAX_REASON_LENGTH) + "..."
				: message;
		this.listeners.obtain().report((listener) -> listener.refused(layer.origin()));
		if (layer.refuse(reason)) {
			logger.atWarn()
				.addKeyValue(LogFields.SOURCE, layer.origin().text())
				.log("Rate limit rules of %s are not brought into force, and its last good ones stay. %s"
					.formatted(layer.description(), reason));
			logger.debug("Why they are not", cause);
			this.publisher.accept(new RateLimitRulesRefusedEvent(layer.origin(), layer.description(), reason));
		}
	}

}
