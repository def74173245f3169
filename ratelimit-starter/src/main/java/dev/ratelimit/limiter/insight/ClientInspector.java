package dev.ratelimit.limiter.insight;

import java.time.Duration;
import java.util.Optional;

import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.Fallback;
import dev.ratelimit.limiter.lease.Leases;
import dev.ratelimit.limiter.outage.DenyCache;
import dev.ratelimit.limiter.sync.Synchronizer;
import dev.ratelimit.store.Inspection;
import dev.ratelimit.store.Inspector;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Subject;

/**
 * Looks at single clients, and forgets them. The store is asked whatever its circuit
 * breaker says: an operator wants to know.
 */
public final class ClientInspector {

	private final RateLimitStore store;

	private final Fallback fallback;

	private final DenyCache denyCache;

	private final Leases leases;

	private final Synchronizer synchronizer;

	private final Duration deadline;

	/**
	 * Look at clients.
	 * @param store where they are counted
	 * @param fallback where they are counted while that store cannot answer
	 * @param denyCache what this instance remembers of them
	 * @param leases what it has reserved for them
	 * @param synchronizer what it has admitted them without asking
	 * @param deadline how long the store is waited for
	 */
	public ClientInspector(RateLimitStore store, Fallback fallback, DenyCache denyCache, Leases leases,
			Synchronizer synchronizer, Duration deadline) {
		this.store = store;
		this.fallback = fallback;
		this.denyCache = denyCache;
		this.leases = leases;
		this.synchronizer = synchronizer;
		this.deadline = deadline;
	}

	/**
	 * Look at a client. Takes nothing.
	 * @param limit the limit
	 * @param subject the client
	 * @return what is known of it; nothing where the store does not let anybody look
	 */
	public Optional<InspectedClient> look(Limit limit, Subject subject) {
		return this.store.inspector().map((inspector) -> {
			Inspection inspection = inspector.peek(this.leases.counted(limit), subject, this.deadline);
			return new InspectedClient(inspection, this.leases.left(limit, subject),
					this.synchronizer.unsynced(limit, subject));
		});
	}

	/**
	 * Forget a client, so that it has the whole limit again: in the store, and what this
	 * instance knows of it. Other instances repeat refusals, spend leases and tell of
	 * what they have admitted for as long as these last.
	 * @param rule the rule
	 * @param subject the client
	 * @return what came of it in the store; nothing where that forgets nobody on demand
	 */
	public Optional<Reset> reset(CompiledRule rule, Subject subject) {
		Optional<Reset> reset = this.store.inspector().map((inspector) -> new Reset(reset(inspector, rule, subject)));
		this.fallback.store().inspector().ifPresent((inspector) -> reset(inspector, rule, subject));
		this.leases.forget(rule.id(), subject);
		this.synchronizer.forget(rule.id(), subject);
		this.denyCache.forget(rule.id(), subject);
		return reset;
	}

	/** All limits of a rule count a client under one key. */
	private Optional<StoreFailure> reset(Inspector inspector, CompiledRule rule, Subject subject) {
		return inspector.reset(rule.standard().limit(), subject, this.deadline);
	}

}
