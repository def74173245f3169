package dev.ratelimit.store.memory;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;

/**
 * Windows in which permits can also be counted without a decision. Not safe for
 * concurrent use. Tested by {@code SyncOracleTests}.
 *
 * @param <W> the algorithm
 */
final class AlignedWindows<W extends AlignedWindow<W>> extends CountedWindows<W> {

	AlignedWindows(W unused) {
		super(unused);
	}

	/**
	 * Count permits, whether or not there is room.
	 * @param limit the limit
	 * @param permits the number of permits
	 * @param receipts their windows
	 * @param nowMicros the time
	 * @return the usage of the windows afterwards
	 */
	AcquireResult.Admitted count(Limit limit, long permits, List<Long> receipts, long nowMicros) {
		List<W> now = new ArrayList<>(limit.size());
		for (int i = 0; i < limit.size(); i++) {
			long window = limit.windowMicros(i);
			W current = held(limit, i).at(limit, i, nowMicros);
			long age = current.identifies(receipts.get(i), window) ? current.age(receipts.get(i), window) : 0;
			now.add(current.plus(permits, age));
		}
		AcquireResult.Admitted counted = admission(limit, 0, now, nowMicros);
		remember(limit, now, nowMicros);
		return counted;
	}

}
