package dev.ratelimit.limiter.source;

import java.util.List;

import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Fate;
import org.jspecify.annotations.Nullable;

/**
 * A request on its way through the stages of a decision: empty until a stage has answered
 * it. Used by one thread at a time. Tested by {@code DecisionPipelineTests}.
 */
public final class Slot {

	private final AcquireRequest request;

	private AcquireRequest counted;

	private PermitOwner owner = PermitOwner.STORE;

	private @Nullable InFlight inFlight;

	private @Nullable AcquireResult result;

	private @Nullable EstimatedWindows here;

	private Source source = Source.NONE;

	private boolean inDoubt;

	/**
	 * Create an empty slot.
	 * @param request the request
	 */
	public Slot(AcquireRequest request) {
		this.request = request;
		this.counted = request;
	}

	/**
	 * What is requested.
	 * @return the request of the rule
	 */
	public AcquireRequest request() {
		return this.request;
	}

	/**
	 * The request in the form that the owner of its permits needs: as it is sent to the
	 * store, as the fallback has counted it, or as the rule made it.
	 * @return the request to send, and later to release
	 */
	public AcquireRequest counted() {
		return this.counted;
	}

	/**
	 * Leave the request to the store, on behalf of a source.
	 * @param counted what to request of the store
	 * @param inFlight awaits the result
	 */
	public void deferToStore(AcquireRequest counted, InFlight inFlight) {
		this.counted = counted;
		this.inFlight = inFlight;
	}

	/**
	 * Answer the request without the store.
	 * @param here the result
	 * @param source where it is from
	 * @param owner releases its permits
	 */
	public void answer(EstimatedWindows here, Source source, PermitOwner owner) {
		this.here = here;
		this.source = source;
		this.owner = owner;
		this.counted = this.request;
	}

	/**
	 * Answer the request in place of the store.
	 * @param result the result
	 * @param source where it is from
	 * @param owner releases its permits
	 * @param counted the request in the form that the owner needs
	 */
	public void answer(AcquireResult result, Source source, PermitOwner owner, AcquireRequest counted) {
		this.result = result;
		this.source = source;
		this.owner = owner;
		this.counted = counted;
	}

	/**
	 * The call of the store has ended.
	 * @param result the result of the store
	 * @param source the name of the store in decisions
	 * @param nowNanos the time on the monotonic clock
	 */
	public void landed(AcquireResult result, Source source, long nowNanos) {
		this.result = result;
		this.source = source;
		this.inDoubt = result instanceof AcquireResult.Failed failed && failed.fate() == Fate.UNKNOWN;
		InFlight awaiting = this.inFlight;
		this.inFlight = null;
		if (awaiting != null) {
			awaiting.landed(this, result, nowNanos);
		}
	}

	/**
	 * The calls of the store have ended for several slots. Whatever the source of one of
	 * them throws, all of them land.
	 * @param slots the slots
	 * @param results the result of the store for each
	 * @param source the name of the store in decisions
	 * @param nowNanos the time on the monotonic clock
	 */
	public static void land(List<Slot> slots, List<AcquireResult> results, Source source, long nowNanos) {
		int next = 0;
		try {
			for (; next < slots.size(); next++) {
				slots.get(next).landed(results.get(next), source, nowNanos);
			}
		}
		finally {
			if (next < slots.size()) {
				int behind = next + 1;
				land(slots.subList(behind, slots.size()), results.subList(behind, results.size()), source, nowNanos);
			}
		}
	}

	/**
	 * Whether a stage has answered the request.
	 * @return whether there is a result
	 */
	public boolean isAnswered() {
		return this.here != null || this.result != null;
	}

	/**
	 * The result, if the request was answered without the store.
	 * @return the result; {@code null} if the store has answered, or nothing has
	 */
	public @Nullable EstimatedWindows here() {
		return this.here;
	}

	/**
	 * The result in the form of a store.
	 * @return the result; {@code null} until a stage has answered the request
	 */
	public @Nullable AcquireResult result() {
		return (this.here != null) ? this.here.result() : this.result;
	}

	/**
	 * Whether it will never be known if the store has counted the request.
	 * @return whether its call failed in that way
	 */
	public boolean isInDoubt() {
		return this.inDoubt;
	}

	/**
	 * Where the result is from.
	 * @return its source
	 */
	public Source source() {
		return this.source;
	}

	/**
	 * Where the permits of the result are released.
	 * @return their owner
	 */
	public PermitOwner owner() {
		return this.owner;
	}

	/**
	 * The permits that were acquired, as their owner releases them.
	 * @return the permits; {@code null} if there are none
	 */
	public @Nullable AcquiredPermits acquired() {
		AcquireResult result = result();
		if (result instanceof AcquireResult.Admitted admitted) {
			return new AcquiredPermits(this.counted, admitted.receipts());
		}
		return (result instanceof AcquireResult.Turn turn) ? new AcquiredPermits(this.counted, turn.receipts()) : null;
	}

}
