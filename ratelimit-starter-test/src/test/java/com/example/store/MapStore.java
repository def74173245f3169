package com.example.store;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SettlementResult;
import dev.ratelimit.store.StoreCapabilities;
import dev.ratelimit.store.StoreCapabilities.Scope;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.Usage;
import dev.ratelimit.support.Pending;

/**
 * Counts fixed windows in a map.
 */
public final class MapStore implements RateLimitStore {

	private final Map<Client, Map<Long, Window>> windows = new ConcurrentHashMap<>();

	private final InstantSource clock;

	public MapStore(InstantSource clock) {
		this.clock = clock;
	}

	record Client(String rule, Subject subject) {

		static Client of(AcquireRequest request) {
			return new Client(request.limit().rule(), request.subject());
		}

	}

	record Window(long startMicros, long used) {
	}

	@Override
	public Pending<List<AcquireResult>> acquire(List<AcquireRequest> requests, Duration maxWait) {
		return Pending.of(requests.stream().map(this::acquire).toList());
	}

	private AcquireResult acquire(AcquireRequest request) {
		Limit limit = request.limit();
		AcquireResult[] result = new AcquireResult[1];
		this.windows.compute(Client.of(request), (client, before) -> {
			long now = ChronoUnit.MICROS.between(Instant.EPOCH, this.clock.instant());
			Map<Long, Window> after = (before != null) ? new HashMap<>(before) : new HashMap<>();
			boolean admitted = true;
			for (int i = 0; i < limit.size(); i++) {
				long start = now - now % limit.windowMicros(i);
				// A window that starts later was stored before the clock stepped back.
				Window window = after.compute(limit.windowMicros(i), (length, was) -> new Window(start,
						(was != null && was.startMicros() >= start) ? was.used() : 0));
				admitted &= request.cost() <= limit.count(i) - window.used();
			}
			if (admitted) {
				for (int i = 0; i < limit.size(); i++) {
					after.computeIfPresent(limit.windowMicros(i),
							(length, was) -> new Window(was.startMicros(), was.used() + request.cost()));
				}
			}
			result[0] = result(request, after, admitted, now);
			return after;
		});
		return result[0];
	}

	private static AcquireResult result(AcquireRequest request, Map<Long, Window> windows, boolean admitted, long now) {
		List<Usage> usage = new ArrayList<>();
		List<Long> receipts = new ArrayList<>();
		for (int i = 0; i < request.limit().size(); i++) {
			long count = request.limit().count(i);
			Window window = windows.get(request.limit().windowMicros(i));
			long untilItEnds = window.startMicros() + request.limit().windowMicros(i) - now;
			boolean refuses = !admitted && request.cost() > count - window.used();
			long retry = !refuses ? 0 : (request.cost() <= count) ? untilItEnds : Usage.NEVER;
			usage.add(new Usage(Math.max(0, count - window.used()), (window.used() > 0) ? untilItEnds : 0, retry));
			receipts.add(window.startMicros());
		}
		return admitted ? new AcquireResult.Admitted(usage, receipts) : new AcquireResult.Refused(usage);
	}

	@Override
	public Pending<List<SettlementResult>> settle(List<Settlement> settlements, Duration maxWait) {
		return Pending.of(settlements.stream().map(Settlement::released).map(this::release).toList());
	}

	/** The receipts say in which windows the permits were counted. */
	private SettlementResult release(AcquiredPermits taken) {
		if (taken.receipts().isEmpty()) {
			return SettlementResult.LOST;
		}
		AcquireRequest request = taken.request();
		this.windows.computeIfPresent(Client.of(request), (client, before) -> {
			Map<Long, Window> after = new HashMap<>(before);
			for (int i = 0; i < request.limit().size(); i++) {
				long start = taken.receipts().get(i);
				after.computeIfPresent(request.limit().windowMicros(i), (length, was) -> (was.startMicros() != start)
						? was : new Window(start, Math.max(0, was.used() - request.cost())));
			}
			return after;
		});
		return SettlementResult.ACKNOWLEDGED;
	}

	@Override
	public String shard(AcquireRequest request) {
		return "map";
	}

	@Override
	public StoreCapabilities capabilities() {
		return StoreCapabilities.of("map", Scope.LOCAL, EnumSet.of(Algorithm.FIXED_WINDOW));
	}

	@Override
	public String describe() {
		return "a map";
	}

	@Override
	public void close() {
		this.windows.clear();
	}

}
