package dev.ratelimit.store.wire;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A number that changes whenever the last connection to a server is lost, and when there
 * is one again. A copy of this process (a restored snapshot, a cloned virtual machine)
 * has all of its memory and none of its connections, so it gets other numbers. They are
 * made of the time and the local address of a connection, which differ between copies,
 * unlike the random numbers of a copied generator. Safe for concurrent use. Tested by
 * {@code ReconnectTests}.
 */
final class Incarnation {

	/** The number of servers to which there are connections. */
	private final AtomicInteger connected = new AtomicInteger();

	private volatile long number = ofNow();

	/**
	 * The first connection to a server is open. Called before the connection is used.
	 * @param connection the connection
	 */
	void began(Connection connection) {
		this.number = mixed(ofNow() ^ connection.localAddress().hashCode() * 0x9E3779B97F4A7C15L);
		this.connected.incrementAndGet();
	}

	/** The last connection to a server is closed. */
	void ended() {
		this.connected.decrementAndGet();
		this.number = ofNow();
	}

	/**
	 * The current number.
	 * @return the number, a different one each time while there is no connection at all:
	 * a snapshot may have been taken meanwhile
	 */
	long number() {
		return (this.connected.get() > 0) ? this.number : ofNow();
	}

	private static long ofNow() {
		return mixed(Deadline.nowNanos());
	}

	/** The finalizer of SplitMix64: one bit of difference changes half of the bits. */
	private static long mixed(long bits) {
		long mixed = (bits ^ (bits >>> 30)) * 0xBF58476D1CE4E5B9L;
		mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
		return mixed ^ (mixed >>> 31);
	}

}
