package dev.ratelimit.backtest.tally;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.function.Supplier;

/**
 * Finds the clients that occur most often among any number of clients, with a fixed
 * number of counters (the "space saving" of Metwally et al.). A client without a counter
 * takes over the smallest counter together with its count. With n counters, a client that
 * makes up more than one in n occurrences is certainly found, and no count is too low.
 */
final class HeavyClients {

	private final int counters;

	private final Map<String, Counter> bySubject = new HashMap<>();

	/**
	 * The counts in this queue may be outdated, and are then too low.
	 */
	private final PriorityQueue<Place> smallest = new PriorityQueue<>(Comparator.comparingLong(Place::count));

	/**
	 * Create an empty sketch.
	 * @param counters the number of clients it counts at a time
	 */
	HeavyClients(int counters) {
		this.counters = counters;
	}

	/**
	 * Count a client.
	 * @param subject the subject of the client
	 * @param name provides its name, if it is counted from now on
	 */
	void add(String subject, Supplier<String> name) {
		Counter counter = this.bySubject.get(subject);
		if (counter == null) {
			counter = (this.bySubject.size() < this.counters) ? new Counter(subject, name.get(), 0)
					: new Counter(subject, name.get(), evict());
			this.bySubject.put(subject, counter);
			this.smallest.add(new Place(counter, counter.count));
		}
		counter.count++;
	}

	/** Each increment of a counter causes at most one renewal of its place. */
	private long evict() {
		Place place = Objects.requireNonNull(this.smallest.poll());
		while (place.count() < place.counter().count) {
			this.smallest.add(new Place(place.counter(), place.counter().count));
			place = Objects.requireNonNull(this.smallest.poll());
		}
		this.bySubject.remove(place.counter().subject);
		return place.count();
	}

	/**
	 * The clients that occurred most often.
	 * @param most the largest number of clients
	 * @return the clients, the most frequent first
	 */
	List<HeavyClient> heaviest(int most) {
		return this.bySubject.values()
			.stream()
			.sorted(Comparator.comparingLong((Counter counter) -> counter.count)
				.reversed()
				.thenComparing((counter) -> counter.name))
			.limit(most)
			.map((counter) -> new HeavyClient(counter.name, counter.count, counter.inherited))
			.toList();
	}

	private static final class Counter {

		private final String subject;

		private final String name;

		private final long inherited;

		private long count;

		Counter(String subject, String name, long inherited) {
			this.subject = subject;
			this.name = name;
			this.inherited = inherited;
			this.count = inherited;
		}

	}

	private record Place(Counter counter, long count) {
	}

}
