package dev.ratelimit.memcached;

import java.util.Optional;

import dev.ratelimit.store.wire.NodeCall;
import dev.ratelimit.store.wire.PermitReleaser;

/**
 * Releases what a reply has counted that comes too late for its request.
 *
 * @param attempt the request
 * @param releaser releases permits
 */
record LateAttempt(Attempt attempt, PermitReleaser releaser) implements NodeCall.Afterwards {

	@Override
	public Optional<NodeCall> ran(Object reply) {
		return this.attempt.counted(reply).map(this.releaser::undo);
	}

	@Override
	public void didNotRun() {
		// There is nothing to release.
	}

	@Override
	public void lost() {
		this.releaser.report(this.attempt.request().limit().rule(), false);
	}

}
