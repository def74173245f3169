package dev.ratelimit.limiter;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.limiter.CompiledAllowance.CompiledLimited;
import dev.ratelimit.limiter.source.Slot;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.PermitIds;
import dev.ratelimit.store.WaitRange;
import org.jspecify.annotations.Nullable;

/**
 * A rule of a request, on its way through the stages of the decision. Most requests have
 * one rule, whose lists have the smallest size. Tested by {@code DecisionPipelineTests}.
 *
 * @param ruleRequest what the rule requests
 * @param slot its slot in the stages; {@code null} if the rule counts nothing
 */
record RuleAttempt(RuleRequest ruleRequest, @Nullable Slot slot) {

	private static final Optional<WaitRange> AT_ONCE = Optional.of(new WaitRange(0, 0));

	static List<RuleAttempt> of(List<RuleRequest> ruleRequests, PermitIds permitIds) {
		if (ruleRequests.size() == 1) {
			return List.of(of(ruleRequests.get(0), permitIds));
		}
		RuleAttempt[] attempts = new RuleAttempt[ruleRequests.size()];
		for (int i = 0; i < attempts.length; i++) {
			attempts[i] = of(ruleRequests.get(i), permitIds);
		}
		return List.of(attempts);
	}

	private static RuleAttempt of(RuleRequest ruleRequest, PermitIds permitIds) {
		return new RuleAttempt(ruleRequest,
				(ruleRequest.allowance() instanceof CompiledLimited limited)
						? new Slot(new AcquireRequest(limited.limit(), ruleRequest.subject(), ruleRequest.cost(),
								permitIds.next(), ruleRequest.cost(), turn(ruleRequest, limited)))
						: null);
	}

	/**
	 * At an even pace, a request that does not wait must not overtake the waiting ones.
	 */
	private static Optional<WaitRange> turn(RuleRequest ruleRequest, CompiledLimited limited) {
		return (!ruleRequest.waits() && limited.limit().paces()) ? AT_ONCE : ruleRequest.turn();
	}

	/** The slots of all rules that count. */
	static List<Slot> slots(List<RuleAttempt> attempts) {
		Slot first = attempts.get(0).slot();
		if (attempts.size() == 1 && first != null) {
			return List.of(first);
		}
		List<Slot> slots = new ArrayList<>(attempts.size());
		for (int i = 0; i < attempts.size(); i++) {
			Slot slot = attempts.get(i).slot();
			if (slot != null) {
				slots.add(slot);
			}
		}
		return slots;
	}

	/** The permits that were acquired; {@code null} if there are none. */
	@Nullable Permit permit() {
		AcquiredPermits acquired = (this.slot != null) ? this.slot.acquired() : null;
		return (this.slot != null && acquired != null)
				? new Permit(this.ruleRequest.rule().config(), this.slot.owner(), acquired) : null;
	}

}
