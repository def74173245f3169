package dev.ratelimit.memcached.meta;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Rendezvous hashing: a key is on the server with the highest weight, which is a hash of
 * the key and the server's name. A server that is added or removed moves the keys of its
 * own and no others. The hash of a text is FNV-1a, and the weight mixes both hashes as
 * MurmurHash3 ends.
 */
final class RendezvousHash {

	/** The hash of the name of each server. */
	private final long[] servers;

	/**
	 * Create a hash.
	 * @param names the names of the servers, at least one
	 */
	RendezvousHash(List<String> names) {
		this.servers = names.stream().mapToLong((name) -> hash(name.getBytes(StandardCharsets.UTF_8))).toArray();
	}

	/**
	 * The server of a key.
	 * @param key the key
	 * @return its index
	 */
	int serverOf(byte[] key) {
		long hash = hash(key);
		int heaviest = 0;
		for (int i = 1; i < this.servers.length; i++) {
			if (mix(hash ^ this.servers[i]) > mix(hash ^ this.servers[heaviest])) {
				heaviest = i;
			}
		}
		return heaviest;
	}

	private static long hash(byte[] text) {
		long hash = 0xcbf29ce484222325L;
		for (byte each : text) {
			hash = (hash ^ (each & 0xff)) * 0x100000001b3L;
		}
		return hash;
	}

	private static long mix(long hash) {
		long mixed = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
		mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
		return mixed ^ (mixed >>> 33);
	}

}
