package dev.ratelimit.memcached;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;

import dev.ratelimit.memcached.meta.MetaCall;
import dev.ratelimit.memcached.meta.MetaReply;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.wire.NodeCall;
import dev.ratelimit.store.wire.ReleaseCallFactory;

/**
 * Converts requests and permits into calls.
 */
final class WindowCallFactory implements ReleaseCallFactory {

	private final String keyPrefix;

	private final InstantSource clock;

	WindowCallFactory(String keyPrefix, InstantSource clock) {
		this.keyPrefix = keyPrefix;
		this.clock = clock;
	}

	/** The text with which all keys of a client under a rule begin. */
	String start(Limit limit, Subject subject) {
		return this.keyPrefix + ":" + limit.rule() + ":" + subject.text();
	}

	/** The windows of a client now. */
	ClientWindows windows(Limit limit, Subject subject) {
		return ClientWindows.of(start(limit, subject), limit, nowMicros());
	}

	ClientWindows windows(AcquireRequest request) {
		return windows(request.limit(), request.subject());
	}

	/** The time, in microseconds since 1970. */
	long nowMicros() {
		Instant now = this.clock.instant();
		return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
	}

	/** Without receipts it is unknown in which windows the permits are counted. */
	@Override
	public MetaCall release(AcquiredPermits permits, NodeCall.Afterwards afterwards) {
		AcquireRequest request = permits.request();
		List<Long> receipts = permits.receipts().isEmpty()
				? Collections.nCopies(request.limit().size(), Window.NOT_COUNTED) : permits.receipts();
		return windows(request).call((window, commands) -> {
			long receipt = receipts.get(window.index());
			if (receipt != Window.NOT_COUNTED) {
				window.release(commands, request.cost(), receipt);
			}
		}, afterwards);
	}

	/**
	 * Where nothing was sent, all windows have ended, or their permits stay counted until
	 * then.
	 */
	@Override
	public boolean isAcknowledged(AcquiredPermits permits, Object reply) {
		if (permits.receipts().isEmpty() || !(reply instanceof List<?> replies)) {
			return false;
		}
		return replies.isEmpty() ? haveEnded(permits) : replies.stream().noneMatch(MetaReply.NotRun.class::isInstance);
	}

	private boolean haveEnded(AcquiredPermits permits) {
		return windows(permits.request()).windows()
			.stream()
			.allMatch((window) -> window.hasEnded(permits.receipts().get(window.index())));
	}

}
