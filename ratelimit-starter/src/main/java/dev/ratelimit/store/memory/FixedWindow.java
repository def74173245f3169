package dev.ratelimit.store.memory;

import java.util.List;

import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Limit;

final class FixedWindow implements SubjectState {

	@Override
	public Answer ask(Limit limit, String id, long cost, long nowMicros) {
		return new Answer.Admitted(List.of());
	}

	@Override
	public boolean giveBack(Limit limit, String id, long cost, List<Long> receipts) {
		return false;
	}

	@Override
	public boolean isIdle(long nowMicros) {
		return false;
	}

}
