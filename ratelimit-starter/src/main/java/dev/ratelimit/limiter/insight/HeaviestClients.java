package dev.ratelimit.limiter.insight;

import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

import dev.ratelimit.store.Subject;

/**
 * Counts the requests of the clients of one rule and finds the heaviest clients, however
 * many there are. Every client belongs to one of {@value #SKETCHES} sketches of
 * {@value #COUNTERS} counters each, so that new clients seldom wait for each other. A
 * client that makes more than one in {@value #COUNTERS} requests of its sketch, which is
 * about one in 512 of all, is certainly found. Takes at most 160 KiB, once enough clients
 * have been seen. Safe for concurrent use.
 */
final class HeaviestClients {

	static final int SKETCHES = 8;

	static final int COUNTERS = 64;

	/** There are fewer than this many heavy clients at a time. */
	private static final int HEAVY_PART = 32;

	private final List<SpaceSaving> sketches = Stream.generate(() -> new SpaceSaving(COUNTERS))
		.limit(SKETCHES)
		.toList();

	private final LongAdder requests = new LongAdder();

	/**
	 * Count a request.
	 * @param subject the client
	 * @param hash a hash of the client that it cannot predict
	 * @param refused whether the request was refused
	 * @return whether the client has certainly made more than one in {@value #HEAVY_PART}
	 * of all requests
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
	 * The clients with the most requests, ordered by how many are certainly theirs. While
	 * many clients make one request each, each of them briefly has a large count that is
	 * not its own.
	 * @param most the maximum number of clients
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
