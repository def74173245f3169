package dev.ratelimit.embeddedredis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free ports of 127.0.0.1. Another process may take a port before it is used, so the
 * caller must be able to retry.
 */
final class Ports {

	/** The distance to the port on which cluster nodes communicate with each other. */
	private static final int CLUSTER_BUS = 10_000;

	private static final int MIN = 10_000;

	/**
	 * Keeps the bus port, too, below 32768: from there on Linux assigns ports to outgoing
	 * connections, which could take the port of a server while it restarts.
	 */
	private static final int MAX = 22_000;

	private static final int MAX_TRIES = 1_000;

	private static final byte[] LOCALHOST = { 127, 0, 0, 1 };

	private Ports() {
	}

	/**
	 * Find a port that is free, together with its cluster bus port.
	 * @return the port
	 * @throws IllegalStateException if none is found
	 */
	static int free() {
		for (int i = 0; i < MAX_TRIES; i++) {
			int port = ThreadLocalRandom.current().nextInt(MIN, MAX);
			if (isFree(port) && isFree(port + CLUSTER_BUS)) {
				return port;
			}
		}
		throw new IllegalStateException("No free port between " + MIN + " and " + MAX);
	}

	private static boolean isFree(int port) {
		try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByAddress(LOCALHOST))) {
			return socket.isBound();
		}
		catch (IOException ex) {
			return false;
		}
	}

}
