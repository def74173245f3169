package dev.ratelimit.actuate.insight;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
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
public final class HeaviestClients {

	static final int SKETCHES = 8;

	static final int COUNTERS = 64;

	private final Instant since;

	/** Random, so that clients cannot choose their sketch. */
	private final long seed;

	private final List<SpaceSaving> sketches = Stream.generate(() -> new SpaceSaving(COUNTERS))
		.limit(SKETCHES)
		.toList();

	HeaviestClients(Instant since, long seed) {
		this.since = since;
		this.seed = seed;
	}

	/**
	 * The time from which requests are counted: the start of the application or a change
	 * of the rule.
	 * @return the time
	 */
	public Instant since() {
		return this.since;
	}

	void add(Subject subject, boolean refused) {
		ClientCounter counter = this.sketches.get(sketch(subject.text())).add(subject);
		if (refused) {
			counter.addRefusal();
		}
	}

	/**
	 * Mixed by the finalizer of MurmurHash3, so that every bit depends on every other
	 * one.
	 */
	private int sketch(String subject) {
		long hash = subject.hashCode() ^ this.seed;
		hash = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
		hash = (hash ^ hash >>> 33) * 0xc4ceb9fe1a85ec53L;
		return (int) (hash ^ hash >>> 33) & (SKETCHES - 1);
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
