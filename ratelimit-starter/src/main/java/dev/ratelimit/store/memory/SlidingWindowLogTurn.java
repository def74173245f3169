package dev.ratelimit.store.memory;

import java.util.List;
import java.util.OptionalLong;

import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Usage;
import dev.ratelimit.store.WaitRange;

/**
 * Gives turns: the earliest instant, now or later, at which a sliding-window log has room
 * for a request, and not before the turns given to others. The twin of {@code
 * SlidingWindowLogTurn.lua}, and the oracle that script is tested against. Tested by
 * {@code TurnContractTests}.
 */
final class SlidingWindowLogTurn {

	/** Suffix of the id of permits that have a turn. */
	static final String MARK = "~";

	private SlidingWindowLogTurn() {
	}

	static AcquireResult acquire(SlidingWindowLog log, AcquireRequest request, WaitRange wait, long nowMicros) {
		Limit limit = request.limit();
		String id = id(request);
		log.see(limit, nowMicros);
		OptionalLong turn = log.timeOf(id, nowMicros);
		if (turn.isEmpty() || turn.getAsLong() < nowMicros + wait.notBeforeMicros()) {
			turn = earliest(log, request, nowMicros + wait.notBeforeMicros());
			long delay = turn.isPresent() ? turn.getAsLong() - nowMicros : Usage.NEVER;
			if (delay > wait.notAfterMicros() || !hasPlace(log, request.cost(), wait, delay, nowMicros)) {
				return new AcquireResult.Refused(log.usage(limit, delay, nowMicros));
			}
			log.giveTurn(limit, id, request.cost(), turn.getAsLong(), nowMicros);
		}
		List<Usage> usage = log.usage(limit, 0, nowMicros);
		return new AcquireResult.Turn(usage, List.of(), Math.max(0, turn.getAsLong() - nowMicros));
	}

	/** Every waiting request is assumed to have the same cost. */
	private static boolean hasPlace(SlidingWindowLog log, long cost, WaitRange wait, long delayMicros, long nowMicros) {
		return delayMicros == 0 || log.countAfter(nowMicros) / cost < wait.maxQueue();
	}

	/** The name of the permits of a request. */
	static String id(AcquireRequest request) {
		return request.permit().text() + (request.turn().isPresent() ? MARK : "");
	}

	private static OptionalLong earliest(SlidingWindowLog log, AcquireRequest request, long notBeforeMicros) {
		Limit limit = request.limit();
		long at = Math.max(notBeforeMicros, log.microsFromNewest(0).orElse(0));
		for (int i = 0; i < limit.size(); i++) {
			if (request.cost() > Math.min(limit.count(i), RLConfig.MAX_LOG_COST)) {
				return OptionalLong.empty();
			}
			OptionalLong leaves = log.microsFromNewest((int) (limit.count(i) - request.cost()));
			if (leaves.isPresent()) {
				at = Math.max(at, leaves.getAsLong() + limit.windowMicros(i));
			}
		}
		return OptionalLong.of(at);
	}

}
