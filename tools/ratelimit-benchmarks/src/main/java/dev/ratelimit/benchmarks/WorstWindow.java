package dev.ratelimit.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * The most that each limiter admits of the {@link RecordedLoad} in a window's time,
 * wherever that begins. Every limiter runs on a clock that is moved from request to
 * request, so the figures are the same on every machine.
 */
final class WorstWindow {

	static final Quota QUOTA = new Quota(100, Duration.ofSeconds(1));

	private WorstWindow() {
	}

	static String table() {
		RecordedLoad load = RecordedLoad.read();
		StringBuilder table = new StringBuilder(String.format(Locale.ROOT, """
				### Worst windows

				%,d recorded requests of one client, and a limit of %d per second.

				| contender | counts | admitted | in its worst window | x limit |
				|---|---|---:|---:|---:|
				""", load.micros().size(), QUOTA.permits()));
		for (ClockedPeer peer : ClockedPeer.all()) {
			List<Long> admitted = load.admittedBy(peer, QUOTA);
			int worst = RecordedLoad.mostWithin(QUOTA.window(), admitted);
			table.append(String.format(Locale.ROOT, "| [%s](%s) | %s | %,d | %d | %.2f |%n", peer.title(),
					peer.documentation(), peer.counts(), admitted.size(), worst, (double) worst / QUOTA.permits()));
		}
		return table.append('\n').toString();
	}

}
