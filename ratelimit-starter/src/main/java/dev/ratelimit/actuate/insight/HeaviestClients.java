package dev.ratelimit.actuate.insight;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;

import dev.ratelimit.store.Subject;

/**
 * Counts the requests of the clients of one rule and finds the heaviest clients, however
 * many there are. A client that makes more than one in {@value #COUNTERS} of the requests
 * is certainly found. Takes at most 160 KiB, once enough clients have been seen. Safe for
 * concurrent use.
 */
public final class HeaviestClients {

	static final int COUNTERS = 512;

	private final Instant since;

	private final SpaceSaving sketch = new SpaceSaving(COUNTERS);

	HeaviestClients(Instant since) {
		this.since = since;
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
		ClientCounter counter = this.sketch.add(subject);
		if (refused) {
			counter.addRefusal();
		}
	}

	/**
	 * The clients with the most requests, ordered by how many are certainly theirs. While
	 * many clients make one request each, each of them briefly has a large count that is
	 * not its own.
	 * @param most the maximum number of clients
	 * @return the clients, the heaviest first
	 */
	public List<HeavyClient> heaviest(int most) {
		return this.sketch.counters()
			.stream()
			.map(ClientCounter::toClient)
			.filter((client) -> client.requests() > 0)
			.sorted(Comparator.comparingLong(HeavyClient::surely)
				.reversed()
				.thenComparing((client) -> client.subject().text()))
			.limit(most)
			.toList();
	}

}
