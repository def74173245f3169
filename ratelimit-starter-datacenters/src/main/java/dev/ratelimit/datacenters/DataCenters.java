package dev.ratelimit.datacenters;

import java.util.List;
import java.util.stream.Stream;

/**
 * The data centres in which an application runs. Tested by {@code SharedPoolsTests}.
 *
 * @param name the one of this instance
 * @param peers the others, in the order of their names
 */
record DataCenters(String name, List<String> peers) {

	public DataCenters {
		peers = peers.stream().sorted().toList();
		if (peers.isEmpty() || peers.contains(name) || peers.stream().distinct().count() < peers.size()) {
			throw new IllegalArgumentException(
					"Data centres have different names, and there are at least 2: %s, %s".formatted(name, peers));
		}
	}

	/**
	 * The number of all data centres.
	 * @return at least 2
	 */
	int size() {
		return this.peers.size() + 1;
	}

	/**
	 * The place of this data centre in the order of their names.
	 * @return its place, from 0
	 */
	int index() {
		return (int) this.peers.stream().filter((peer) -> peer.compareTo(this.name) < 0).count();
	}

	/** All names, in order. */
	List<String> all() {
		return Stream.concat(this.peers.stream(), Stream.of(this.name)).sorted().toList();
	}

	PoolTerms terms(Everywhere scope, long threshold) {
		return PoolTerms.of(scope, threshold, size(), index());
	}

}
