package dev.ratelimit.integration.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Sends requests byte by byte as they are written: no HTTP client corrects them.
 */
public final class RawHttp {

	private static final int TIMEOUT_MILLIS = 20_000;

	private RawHttp() {
	}

	public static Socket connect(int port) throws IOException {
		Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
		socket.setTcpNoDelay(true);
		socket.setSoTimeout(TIMEOUT_MILLIS);
		return socket;
	}

	/**
	 * Send a request on a connection of its own.
	 * @param port the port of the server
	 * @param request the whole request, which makes the server close the connection
	 * @return everything that was received
	 */
	public static String exchange(int port, String request) {
		try (Socket socket = connect(port)) {
			socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
			return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
