package dev.ratelimit.limiter.source;

import java.util.List;
import java.util.stream.IntStream;

import dev.ratelimit.ComputedQuotas;
import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Allowed;
import dev.ratelimit.RateLimitDecision.Quota;
import dev.ratelimit.RateLimitDecision.Rejected;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Usage;

/**
 * The result of a request that this instance has decided without the store: the windows
 * as they are by now, if no other request has reached the store. A decision from memory
 * consists of this object and the record.
 */
public final class EstimatedWindows extends ComputedQuotas {

	private final KnownWindows known;

	private final long more;

	private final long elapsedMicros;

	/**
	 * Create windows at a later time.
	 * @param known the windows as they were, and whether they admit or refuse
	 * @param more how many permits more are left than then; negative for less
	 * @param elapsedMicros the time since then
	 */
	public EstimatedWindows(KnownWindows known, long more, long elapsedMicros) {
		this.known = known;
		this.more = more;
		this.elapsedMicros = elapsedMicros;
	}

	/**
	 * Whether the request is admitted.
	 * @return whether it is; else it is refused
	 */
	public boolean isAdmitted() {
		return this.known.receipts() != null;
	}

	/**
	 * This result as a decision.
	 * @param rule the id of the rule
	 * @param source where the request was counted
	 * @return the decision
	 */
	public RateLimitDecision decision(String rule, Source source) {
		return isAdmitted() ? new Allowed(rule, source, this) : new Rejected(rule, source, this);
	}

	/**
	 * This result in the form of a store.
	 * @return an admission or a refusal
	 */
	public AcquireResult result() {
		List<Usage> usage = IntStream.range(0, size()).mapToObj(this::usage).toList();
		List<Long> receipts = this.known.receipts();
		return (receipts != null) ? new AcquireResult.Admitted(usage, receipts) : new AcquireResult.Refused(usage);
	}

	private Usage usage(int index) {
		return this.known.usage().get(index).after(this.elapsedMicros, this.more);
	}

	@Override
	public int size() {
		return this.known.size();
	}

	@Override
	protected Quota compute(int index) {
		return this.known.quota(index, usage(index));
	}

	@Override
	protected double usedShare() {
		return this.known.usedShare(this.more);
	}

}
