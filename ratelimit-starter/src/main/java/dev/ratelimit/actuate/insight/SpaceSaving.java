package dev.ratelimit.actuate.insight;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.ratelimit.store.Subject;

/**
 * Finds the clients with the most requests among any number of clients, with a fixed
 * number of counters. A client without a counter takes the place of the smallest one and
 * inherits its count. No count is ever too low. None is too high by more than the number
 * of requests divided by the number of counters, and every client with more requests than
 * that has a counter. The sketch is "Space-Saving" of Metwally, Agrawal and El Abbadi,
 * "Efficient Computation of Frequent and Top-k Elements in Data Streams" (ICDT 2005).
 * <p>
 * A client with a counter costs a look-up and an addition, no lock and no allocation. A
 * client without one costs two objects, and a lock that is held while a few counters are
 * read, at most all of them once.
 */
final class SpaceSaving {

	private final Map<Subject, ClientCounter> counters = new ConcurrentHashMap<>();

	private final ClientCounter[] places;

	private int taken;

	/** No counter is smaller. */
	private long floor;

	/**
	 * Where the search for a smallest counter continues, because there are often several.
	 */
	private int cursor;

	SpaceSaving(int counters) {
		this.places = new ClientCounter[counters];
	}

	/**
	 * Count a request.
	 * @param subject the client
	 * @return the counter of the client
	 */
	ClientCounter add(Subject subject) {
		ClientCounter counter = this.counters.get(subject);
		return (counter != null && counter.add()) ? counter : addUncounted(subject);
	}

	private synchronized ClientCounter addUncounted(Subject subject) {
		ClientCounter counter = this.counters.get(subject);
		// The lock keeps other clients from taking its place meanwhile.
		if (counter != null && counter.add()) {
			return counter;
		}
		ClientCounter newcomer = (this.taken < this.places.length) ? firstIn(this.taken++, subject)
				: displaceSmallest(subject);
		this.counters.put(subject, newcomer);
		return newcomer;
	}

	private ClientCounter firstIn(int place, Subject subject) {
		this.places[place] = new ClientCounter(subject, 0);
		return this.places[place];
	}

	private ClientCounter displaceSmallest(Subject subject) {
		int place = findSmallest();
		long requests = this.places[place].requests();
		while (requests > this.floor || !this.places[place].seal(requests)) {
			// The counter was incremented just now.
			place = findSmallest();
			requests = this.places[place].requests();
		}
		this.counters.remove(this.places[place].subject());
		this.places[place] = new ClientCounter(subject, requests);
		return this.places[place];
	}

	private int findSmallest() {
		int smallest = this.cursor;
		long least = Long.MAX_VALUE;
		for (int i = 0; i < this.places.length; i++) {
			this.cursor = (this.cursor + 1 < this.places.length) ? this.cursor + 1 : 0;
			long requests = this.places[this.cursor].requests();
			if (requests <= this.floor) {
				return this.cursor;
			}
			if (requests < least) {
				least = requests;
				smallest = this.cursor;
			}
		}
		this.floor = least;
		return smallest;
	}

	Collection<ClientCounter> counters() {
		return this.counters.values();
	}

}
