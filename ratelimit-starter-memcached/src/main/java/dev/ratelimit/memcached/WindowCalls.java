package dev.ratelimit.memcached;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;

import dev.ratelimit.memcached.meta.MetaCall;
import dev.ratelimit.memcached.meta.MetaCommands;
import dev.ratelimit.memcached.meta.MetaReply;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.wire.NodeCall;
import dev.ratelimit.store.wire.ReleaseCalls;

/**
 * Converts requests and permits into calls.
 */
final class WindowCalls implements ReleaseCalls {

	private final String keyPrefix;

	private final InstantSource clock;

	WindowCalls(String keyPrefix, InstantSource clock) {
		this.keyPrefix = keyPrefix;
		this.clock = clock;
	}

	/** The text with which all keys of a client under a rule begin. */
	String start(Limit limit, Subject subject) {
		return this.keyPrefix + ":" + limit.rule() + ":" + subject.text();
	}

	String start(AcquireRequest request) {
		return start(request.limit(), request.subject());
	}

	/** The time, in microseconds since 1970. */
	long nowMicros() {
		Instant now = this.clock.instant();
		return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
	}

	Attempt attempt(AcquireRequest request) {
		return Attempt.of(request, start(request), nowMicros());
	}

	/** Without receipts it is unknown in which windows the permits are counted. */
	@Override
	public MetaCall release(AcquiredPermits permits, NodeCall.Afterwards afterwards) {
		AcquireRequest request = permits.request();
		String start = start(request);
		WindowKeys keys = WindowKeys.of(request.limit());
		MetaCommands commands = new MetaCommands();
		long now = nowMicros();
		for (int i = 0; i < permits.receipts().size(); i++) {
			long receipt = permits.receipts().get(i);
			if (receipt != CountedReply.NOT_COUNTED) {
				keys.release(commands, new Place(start, request.limit(), i, now), request.cost(), receipt);
			}
		}
		return new MetaCall(start, commands, afterwards);
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
		Limit limit = permits.request().limit();
		String start = start(permits.request());
		long now = nowMicros();
		return IntStream.range(0, permits.receipts().size())
			.allMatch((i) -> WindowKeys.of(limit).hasEnded(new Place(start, limit, i, now), permits.receipts().get(i)));
	}

}
