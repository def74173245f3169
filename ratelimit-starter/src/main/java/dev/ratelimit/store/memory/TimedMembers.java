package dev.ratelimit.store.memory;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/**
 * A sorted set as Redis has it: members ordered by their time, and by name where the time
 * is the same. Arrays in order, because nearly everything happens at the new end; a map,
 * because a request that is sent again must be found. Not safe for concurrent use.
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
	 * The time of a member, counted from the newest.
	 * @param rank 0 for the newest
	 * @return its time
	 */
	long microsFromNewest(int rank) {
		return this.micros[this.to - 1 - rank];
	}

	/**
	 * How many are younger.
	 * @param afterMicros a time
	 * @return the number of members later than that
	 */
	int countAfter(long afterMicros) {
		return this.to - firstAfter(afterMicros);
	}

	/**
	 * Add a member that is at least as young as all others, unless it is there already.
	 * @param name the member
	 * @param nowMicros its time
	 * @return whether it was added
	 */
	boolean addNewest(String name, long nowMicros) {
		if (this.microsOf.putIfAbsent(name, nowMicros) != null) {
			return false;
		}
		makeRoom();
		int place = this.to++;
		while (place > this.from && this.micros[place - 1] == nowMicros && this.names[place - 1].compareTo(name) > 0) {
			set(place, this.names[place - 1], nowMicros);
			place--;
		}
		set(place, name, nowMicros);
		return true;
	}

	void remove(String name) {
		Long found = this.microsOf.remove(name);
		if (found != null) {
			int place = firstAfter(found - 1);
			while (!this.names[place].equals(name)) {
				place++;
			}
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
	 * Date members of the future back to now, where a clock has been set back.
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

	private void makeRoom() {
		if (this.to == this.names.length) {
			int capacity = Math.max(SMALLEST_CAPACITY, size() * 2);
			long[] roomierMicros = new long[capacity];
			String[] roomierNames = new String[capacity];
			System.arraycopy(this.micros, this.from, roomierMicros, 0, size());
			System.arraycopy(this.names, this.from, roomierNames, 0, size());
			this.to -= this.from;
			this.from = 0;
			this.micros = roomierMicros;
			this.names = roomierNames;
		}
	}

	private void set(int place, String name, long micros) {
		this.names[place] = name;
		this.micros[place] = micros;
	}

}
