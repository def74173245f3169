package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.limiter.refusal.DenyCache;
import dev.ratelimit.limiter.source.PermitSource;
import dev.ratelimit.limiter.source.PermitSources;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.RLWindow;
import dev.ratelimit.store.Inspection;
import dev.ratelimit.store.Inspector;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Subject;

/**
 * Inspects and resets single clients. The store is called even if its circuit breaker is
 * open, because an operator or the application requested it. Tested by
 * {@code RuleRateLimiterTests}.
 */
public final class ClientInspector {

	private final RateLimitStore store;

	private final Fallback fallback;

	private final DenyCache denyCache;

	private final PermitSources sources;

	private final Duration deadline;

	/**
	 * Create an inspector.
	 * @param store the store that counts the clients
	 * @param fallback counts the clients while that store is unavailable
	 * @param denyCache the refusals that this instance has cached
	 * @param sources the permits that it has reserved, or admitted without calling the
	 * store
	 * @param deadline how long to wait for the store
	 */
	public ClientInspector(RateLimitStore store, Fallback fallback, DenyCache denyCache, PermitSources sources,
			Duration deadline) {
		this.store = store;
		this.fallback = fallback;
		this.denyCache = denyCache;
		this.sources = sources;
		this.deadline = deadline;
	}

	/** Where the store counts. */
	Source source() {
		return this.store.capabilities().isLocal() ? Source.MEMORY : Source.STORE;
	}

	/**
	 * Whether the store can inspect and reset clients.
	 * @return whether it can; if not, the methods below throw
	 */
	public boolean isSupported() {
		return this.store.capabilities().inspector().isPresent();
	}

	private Inspector inspector() {
		return this.store.capabilities()
			.inspector()
			.orElseThrow(() -> new UnsupportedOperationException(
					"The store cannot inspect its clients: that takes a StoreCapabilities.inspector"));
	}

	/**
	 * Inspect a client. Acquires nothing.
	 * @param limit the limit
	 * @param subject the client
	 * @return the state of the client
	 */
	public InspectedClient inspect(Limit limit, Subject subject) {
		PermitSource source = this.sources.find(limit);
		if (source == null) {
			return new InspectedClient(inspector().peek(limit, subject, this.deadline), 0, 0);
		}
		Inspection inspection = inspector().peek(source.counted(limit), subject, this.deadline);
		return new InspectedClient(inspection, source.left(limit, subject), source.unsynced(limit, subject));
	}

	/**
	 * Reset a client, so that it has the whole limit again: in the store and on this
	 * instance. Other instances continue to repeat refusals, spend leases and report what
	 * they have admitted, for as long as these last.
	 * @param rule the rule
	 * @param subject the client
	 * @return why the store may still count the client; empty if it does not
	 */
	public Optional<StoreFailure> reset(CompiledRule rule, Subject subject) {
		Inspector inspector = inspector();
		// Before, so that no report begins meanwhile, and after it again.
		this.sources.forget(rule.id(), subject);
		Optional<StoreFailure> failure = reset(inspector, rule, subject);
		this.fallback.store().capabilities().inspector().ifPresent((local) -> reset(local, rule, subject));
		this.sources.forget(rule.id(), subject);
		if (rule.hasFinalRefusals()) {
			this.denyCache.forget(rule.id(), subject);
		}
		return failure;
	}

	/** Of plans and overrides with the same windows, one is enough. */
	private Optional<StoreFailure> reset(Inspector inspector, CompiledRule rule, Subject subject) {
		Set<List<RLWindow>> windows = new HashSet<>();
		for (CompiledAllowance.CompiledLimited each : rule.limits()) {
			Limit limit = each.limit();
			if (windows.add(limit.thresholds().stream().map(RLThreshold::window).toList())) {
				Optional<StoreFailure> failure = inspector.reset(limit, subject, this.deadline);
				if (failure.isPresent()) {
					return failure;
				}
			}
		}
		return Optional.empty();
	}

}
