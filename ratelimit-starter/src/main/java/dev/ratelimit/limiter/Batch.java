package dev.ratelimit.limiter;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.limiter.CompiledAllowance.CompiledLimited;
import dev.ratelimit.limiter.stage.Slot;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.PermitIds;
import dev.ratelimit.store.WaitRange;
import org.jspecify.annotations.Nullable;

/**
 * The rules of one request, with a slot for each that has to be counted. Tested by
 * {@code DecisionPipelineTests}.
 */
final class Batch {

	private static final Optional<WaitRange> AT_ONCE = Optional.of(new WaitRange(0, 0));

	private final List<RuleRequest> ruleRequests;

	private final @Nullable Slot[] slots;

	private Batch(List<RuleRequest> ruleRequests) {
		this.ruleRequests = ruleRequests;
		this.slots = new @Nullable Slot[ruleRequests.size()];
	}

	static Batch of(List<RuleRequest> ruleRequests, PermitIds permitIds) {
		Batch batch = new Batch(ruleRequests);
		for (int i = 0; i < batch.slots.length; i++) {
			RuleRequest ruleRequest = ruleRequests.get(i);
			if (ruleRequest.allowance() instanceof CompiledLimited limited) {
				batch.slots[i] = new Slot(new AcquireRequest(limited.limit(), ruleRequest.subject(), ruleRequest.cost(),
						permitIds.next(), ruleRequest.cost(), turn(ruleRequest, limited)));
			}
		}
		return batch;
	}

	/**
	 * At an even pace, a request that does not wait must not overtake the waiting ones.
	 */
	private static Optional<WaitRange> turn(RuleRequest ruleRequest, CompiledLimited limited) {
		return (!ruleRequest.waits() && limited.limit().paces()) ? AT_ONCE : ruleRequest.turn();
	}

	int size() {
		return this.slots.length;
	}

	RuleRequest ruleRequest(int index) {
		return this.ruleRequests.get(index);
	}

	/** The slot of a rule; {@code null} if it counts nothing. */
	@Nullable Slot slot(int index) {
		return this.slots[index];
	}

	/** The requests of all rules that count. */
	List<Slot> slots() {
		Slot first = this.slots[0];
		if (this.slots.length == 1 && first != null) {
			return List.of(first);
		}
		List<Slot> all = new ArrayList<>(this.slots.length);
		for (Slot slot : this.slots) {
			if (slot != null) {
				all.add(slot);
			}
		}
		return all;
	}

	/** The permits that were acquired. */
	List<Permit> permits() {
		if (this.slots.length == 1) {
			Permit permit = permit(0);
			return (permit != null) ? List.of(permit) : List.of();
		}
		List<Permit> permits = new ArrayList<>(this.slots.length);
		for (int i = 0; i < this.slots.length; i++) {
			Permit permit = permit(i);
			if (permit != null) {
				permits.add(permit);
			}
		}
		return permits;
	}

	private @Nullable Permit permit(int index) {
		Slot slot = this.slots[index];
		AcquiredPermits acquired = (slot != null) ? slot.acquired() : null;
		return (slot != null && acquired != null)
				? new Permit(this.ruleRequests.get(index).rule().config(), slot.owner(), acquired) : null;
	}

}
