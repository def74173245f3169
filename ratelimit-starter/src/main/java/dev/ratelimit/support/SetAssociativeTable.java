package dev.ratelimit.support;

import java.util.concurrent.atomic.AtomicReferenceArray;

import org.jspecify.annotations.Nullable;

/**
 * A table of fixed size for caches that are looked up in every request. The hash of an
 * entry selects one set of a few adjacent places, which its owner compares and of which
 * it chooses the one to replace.
 * <p>
 * Safe for concurrent use, without a lock: an entry that loses a race for its place is
 * dropped. Allocates nothing after it was created.
 *
 * @param <E> the type of the entries
 */
public final class SetAssociativeTable<E> {

	private final AtomicReferenceArray<@Nullable E> places;

	private final int ways;

	/**
	 * Create an empty table.
	 * @param places the number of places; a power of two
	 * @param ways the number of places of one set; a power of two, at most {@code places}
	 */
	public SetAssociativeTable(int places, int ways) {
		this.places = new AtomicReferenceArray<>(places);
		this.ways = ways;
	}

	/**
	 * Find the set of a hash.
	 * @param hash any hash; its bits are mixed here
	 * @return the first place of its set, which the others follow
	 */
	public int firstPlace(int hash) {
		int mixed = (hash ^ (hash >>> 16)) * 0x9E3779B9;
		return ((mixed ^ (mixed >>> 15)) & (this.places.length() / this.ways - 1)) * this.ways;
	}

	/**
	 * Look at a place.
	 * @param place the place
	 * @return its entry; {@code null} if it is empty
	 */
	public @Nullable E get(int place) {
		return this.places.get(place);
	}

	/**
	 * Replace what a place contains.
	 * @param place the place
	 * @param entry its new entry; {@code null} to empty it
	 */
	public void put(int place, @Nullable E entry) {
		this.places.set(place, entry);
	}

	/**
	 * Empty a place, unless it contains another entry by now.
	 * @param place the place
	 * @param entry the entry that was found there
	 */
	public void remove(int place, E entry) {
		this.places.compareAndSet(place, entry, null);
	}

	/** Empty all places. */
	public void clear() {
		for (int place = 0; place < places(); place++) {
			put(place, null);
		}
	}

	/**
	 * The number of places, for callers that look at all of them.
	 * @return the number
	 */
	public int places() {
		return this.places.length();
	}

}
