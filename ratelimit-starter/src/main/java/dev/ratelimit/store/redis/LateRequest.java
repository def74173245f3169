package dev.ratelimit.store.redis;

import java.util.Optional;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.wire.NodeCall;
import dev.ratelimit.store.wire.PermitReleaser;

/**
 * Releases what a reply has granted that comes too late for its request. Tested by
 * {@code LateAnswerTests}.
 *
 * @param request the request
 * @param scoped whether a module counts its limit
 * @param releaser releases permits
 */
record LateRequest(AcquireRequest request, boolean scoped, PermitReleaser releaser) implements NodeCall.Afterwards {

	@Override
	public Optional<NodeCall> ran(Object reply) {
		AcquireResult result = UsageReply.read(reply, this.request, this.scoped);
		if (result instanceof AcquireResult.Admitted admitted) {
			return undo(new AcquiredPermits(this.request, admitted.receipts()));
		}
		if (result instanceof AcquireResult.Reserved reserved) {
			return undo(new AcquiredPermits(this.request.of(reserved.permits()), reserved.receipts()));
		}
		if (result instanceof AcquireResult.Turn turn) {
			return undo(new AcquiredPermits(this.request, turn.receipts()));
		}
		if (result instanceof AcquireResult.Failed) {
			lost();
		}
		return Optional.empty();
	}

	private Optional<NodeCall> undo(AcquiredPermits permits) {
		return Optional.of(this.releaser.undo(permits));
	}

	@Override
	public void didNotRun() {
		// There is nothing to release.
	}

	@Override
	public void lost() {
		this.releaser.report(this.request.limit().rule(), false);
	}

}
