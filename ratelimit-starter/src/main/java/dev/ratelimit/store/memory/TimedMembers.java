package dev.ratelimit.store.memory;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A sorted set as in Redis: members are ordered by their time, and by name where the time
 * is the same. Uses ordered arrays, because nearly all changes happen at the new end, and
 * a map, because a repeated request must be found. Not safe for concurrent use. Tested by
 * {@code SlidingWindowLogTests}.
 */
final class TimedMembers {

	private static final int SMALLEST_CAPACITY = 8;

	private final Map<String, Long> microsOf = new HashMap<>();

	private long[] micros = new long[SMALLEST_CAPACITY];

	private String[] names = new String[SMALLEST_CAPACITY];

	private int from;

	private int to;

	int size() {
		return this.to - this.from;
	}

	boolean contains(String name, long afterMicros) {
		Long found = this.microsOf.get(name);
		return found != null && found > afterMicros;
	}

	/**
	 * The time of a member, by its rank from the newest.
	 * @param rank 0 for the newest
	 * @return its time
	 */
	long microsFromNewest(int rank) {
		return this.micros[this.to - 1 - rank];
	}

	String newest() {
		return this.names[this.to - 1];
	}

	/**
	 * The time of a member that is present.
	 * @param name the member
	 * @return its time
	 */
	long timeOf(String name) {
		return Objects.requireNonNull(this.microsOf.get(name));
	}

	/**
	 * The number of younger members.
	 * @param afterMicros a time
	 * @return the number of members later than that
	 */
	int countAfter(long afterMicros) {
		return this.to - firstAfter(afterMicros);
	}

	/**
	 * Add members, except those that are already present. Cheap if they are at least as
	 * young as all others.
	 * @param added the members
	 * @param nowMicros their time
	 */
	void addNewest(Iterable<String> added, long nowMicros) {
		if (size() > 0 && microsFromNewest(0) > nowMicros) {
			for (String name : added) {
				if (!this.microsOf.containsKey(name)) {
					put(name, nowMicros);
				}
			}
			return;
		}
		int sizeBefore = size();
		for (String name : added) {
			if (this.microsOf.putIfAbsent(name, nowMicros) == null) {
				append(name, nowMicros);
			}
		}
		int firstOfNow = firstAfter(nowMicros - 1);
		if (this.to - firstOfNow > 1 && size() > sizeBefore) {
			// Linear where only the end is out of order.
			Arrays.sort(this.names, firstOfNow, this.to, Comparator.naturalOrder());
		}
	}

	/**
	 * Add a member, or move one.
	 * @param name the member
	 * @param time its time
	 */
	void put(String name, long time) {
		remove(name);
		this.microsOf.put(name, time);
		append(name, time);
		for (int place = this.to - 1; place > this.from && isBefore(place, place - 1); place--) {
			swap(place, place - 1);
		}
	}

	private boolean isBefore(int one, int other) {
		return this.micros[one] < this.micros[other]
				|| (this.micros[one] == this.micros[other] && this.names[one].compareTo(this.names[other]) < 0);
	}

	private void swap(int one, int other) {
		long time = this.micros[one];
		String name = this.names[one];
		this.micros[one] = this.micros[other];
		this.names[one] = this.names[other];
		this.micros[other] = time;
		this.names[other] = name;
	}

	void remove(String name) {
		Long found = this.microsOf.remove(name);
		if (found != null) {
			int place = firstAfter(found - 1);
			place = Arrays.binarySearch(this.names, place, firstAfter(found), name);
			System.arraycopy(this.micros, place + 1, this.micros, place, this.to - place - 1);
			System.arraycopy(this.names, place + 1, this.names, place, this.to - place - 1);
			this.to--;
		}
	}

	void removeUpTo(long lastMicros) {
		dropOldest(firstAfter(lastMicros) - this.from);
	}

	void keepNewest(long count) {
		dropOldest((int) Math.max(0, size() - count));
	}

	/**
	 * Date members of the future back to now, where the clock has been set back.
	 * @param nowMicros the time
	 */
	void restampAfter(long nowMicros) {
		int first = firstAfter(nowMicros - 1);
		if (first < this.to && this.micros[this.to - 1] > nowMicros) {
			Arrays.fill(this.micros, first, this.to, nowMicros);
			Arrays.sort(this.names, first, this.to, Comparator.naturalOrder());
			for (int i = first; i < this.to; i++) {
				this.microsOf.put(this.names[i], nowMicros);
			}
		}
	}

	private int firstAfter(long afterMicros) {
		int low = this.from;
		int high = this.to;
		while (low < high) {
			int middle = (low + high) >>> 1;
			if (this.micros[middle] > afterMicros) {
				high = middle;
			}
			else {
				low = middle + 1;
			}
		}
		return low;
	}

	private void dropOldest(int count) {
		for (int i = this.from; i < this.from + count; i++) {
			this.microsOf.remove(this.names[i]);
		}
		Arrays.fill(this.names, this.from, this.from + count, "");
		this.from += count;
	}

	private void append(String name, long nowMicros) {
		if (this.to == this.names.length) {
			makeRoom();
		}
		this.names[this.to] = name;
		this.micros[this.to] = nowMicros;
		this.to++;
	}

	private void makeRoom() {
		int size = size();
		int capacity = Math.max(SMALLEST_CAPACITY, size * 2);
		this.micros = Arrays.copyOf(Arrays.copyOfRange(this.micros, this.from, this.to), capacity);
		this.names = Arrays.copyOf(Arrays.copyOfRange(this.names, this.from, this.to), capacity);
		this.from = 0;
		this.to = size;
	}

}
