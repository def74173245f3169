package dev.ratelimit.limiter.insight;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.ratelimit.store.Subject;

/**
 * Finds who asks most among any number of clients, with a fixed number of counters:
 * whoever has none takes the place of the smallest one, and its count with it. No count
 * is ever too small. None is too large by more than the number of requests divided by the
 * number of counters, and who asked more often than that has a counter. The sketch is
 * "Space-Saving" of Metwally, Agrawal and El Abbadi, "Efficient Computation of Frequent
 * and Top-k Elements in Data Streams" (ICDT 2005).
 * <p>
 * A client that has a counter costs a look-up and an addition, no lock and no object. One
 * that has none takes a lock for as long as it takes to look at a few counters, at most
 * once at all of them, and costs two objects.
 */
final class SpaceSaving {

	private final Map<Subject, ClientCounter> counters = new ConcurrentHashMap<>();

	private final ClientCounter[] places;

	private int taken;

	/** No counter is smaller. */
	private long floor;

	/** Where the search for a smallest counter goes on, as there are often several. */
	private int cursor;

	SpaceSaving(int counters) {
		this.places = new ClientCounter[counters];
	}

	/**
	 * Count a request.
	 * @param subject who asked
	 * @return the counter of the client
	 */
	ClientCounter add(Subject subject) {
		ClientCounter counter = this.counters.get(subject);
		return (counter != null && counter.add()) ? counter : addUncounted(subject);
	}

	private synchronized ClientCounter addUncounted(Subject subject) {
		ClientCounter counter = this.counters.get(subject);
		// Nobody else takes its place meanwhile.
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
			// It has just been counted up.
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
