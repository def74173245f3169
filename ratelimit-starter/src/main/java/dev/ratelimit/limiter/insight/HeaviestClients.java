package dev.ratelimit.limiter.insight;

import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

import dev.ratelimit.store.Subject;

/**
 * Counts the requests of the clients of one rule and knows the heaviest of them, however
 * many there are. Every client belongs to one of {@value #SKETCHES} sketches of
 * {@value #COUNTERS} counters each, so that newcomers seldom wait for each other: whoever
 * makes more than one in {@value #COUNTERS} requests of its sketch, which is about one in
 * 512 of all, is surely known. Takes at most 160 KiB, once so many clients have come.
 * Safe for concurrent use.
 */
final class HeaviestClients {

	static final int SKETCHES = 8;

	static final int COUNTERS = 64;

	/** There are fewer than so many heavy clients at a time. */
	private static final int HEAVY_PART = 32;

	private final List<SpaceSaving> sketches = Stream.generate(() -> new SpaceSaving(COUNTERS))
		.limit(SKETCHES)
		.toList();

	private final LongAdder requests = new LongAdder();

	/**
	 * Count a request.
	 * @param subject who asked
	 * @param hash a hash of the client that it cannot know
	 * @param refused whether it was refused
	 * @return whether the client has surely made more than one in {@value #HEAVY_PART} of
	 * all requests
	 */
	public boolean add(Subject subject, long hash, boolean refused) {
		this.requests.increment();
		ClientCounter counter = this.sketches.get((int) (hash & (SKETCHES - 1))).add(subject);
		if (refused) {
			counter.addRefusal();
		}
		return counter.surely() > this.requests.sum() / HEAVY_PART;
	}

	/**
	 * Those that ask most, by how many requests are surely theirs: while many come that
	 * ask once, each of these has a large count for a moment, which is not its own.
	 * @param most how many at most
	 * @return the clients, the heaviest first
	 */
	public List<HeavyClient> heaviest(int most) {
		return this.sketches.stream()
			.flatMap((sketch) -> sketch.counters().stream())
			.map(ClientCounter::toClient)
			.filter((client) -> client.requests() > 0)
			.sorted(Comparator.comparingLong(HeavyClient::surely)
				.reversed()
				.thenComparing((client) -> client.subject().text()))
			.limit(most)
			.toList();
	}

}
