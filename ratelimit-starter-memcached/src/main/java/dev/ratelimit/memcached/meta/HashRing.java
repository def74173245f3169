package dev.ratelimit.memcached.meta;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Consistent hashing as clients of Memcached do it ("ketama"): each server has 160 points
 * on a ring, taken from the MD5 hashes of its name and a number, and serves the keys
 * between them and the points before. A server that is added or removed moves the keys of
 * its own points and no others.
 */
final class HashRing {

	private static final int HASHES_PER_SERVER = 40;

	private static final int POINTS_PER_HASH = 4;

	/** In ascending order. */
	private final long[] points;

	/** The index of the server of each point. */
	private final int[] servers;

	/**
	 * Create a ring.
	 * @param names the names of the servers, at least one
	 */
	HashRing(List<String> names) {
		MessageDigest md5 = md5();
		List<long[]> all = new ArrayList<>();
		for (int server = 0; server < names.size(); server++) {
			for (int i = 0; i < HASHES_PER_SERVER; i++) {
				byte[] hash = md5.digest((names.get(server) + "-" + i).getBytes(StandardCharsets.UTF_8));
				for (int part = 0; part < POINTS_PER_HASH; part++) {
					all.add(new long[] { point(hash, part), server });
				}
			}
		}
		all.sort(Comparator.comparingLong((long[] point) -> point[0]));
		this.points = all.stream().mapToLong((point) -> point[0]).toArray();
		this.servers = all.stream().mapToInt((point) -> (int) point[1]).toArray();
	}

	/**
	 * The server of a key.
	 * @param key the key
	 * @return its index
	 */
	int serverOf(byte[] key) {
		long point = point(md5().digest(key), 0);
		int low = 0;
		int high = this.points.length;
		while (low < high) {
			int middle = (low + high) >>> 1;
			if (this.points[middle] < point) {
				low = middle + 1;
			}
			else {
				high = middle;
			}
		}
		return this.servers[(low == this.points.length) ? 0 : low];
	}

	private static long point(byte[] hash, int part) {
		int at = part * POINTS_PER_HASH;
		return (hash[at + 3] & 0xffL) << 24 | (hash[at + 2] & 0xffL) << 16 | (hash[at + 1] & 0xffL) << 8
				| (hash[at] & 0xffL);
	}

	private static MessageDigest md5() {
		try {
			return MessageDigest.getInstance("MD5");
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has MD5", ex);
		}
	}

}
