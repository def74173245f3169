package dev.ratelimit.store.wire;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;

import dev.ratelimit.fixture.Patience;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Until when bytes are read.
 */
class DeadlineSocketTests {

	private final ServerSocket listener;

	DeadlineSocketTests() throws IOException {
		this.listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
	}

	@AfterEach
	void close() throws IOException {
		this.listener.close();
	}

	@Test
	void bytesThatArriveOneByOneAreNotReadForEver() throws IOException {
		try (DeadlineSocket socket = new DeadlineSocket(Deadline.in(Duration.ofMillis(300)))) {
			socket.connect(this.listener.getLocalSocketAddress());
			try (Socket server = this.listener.accept()) {
				InputStream in = socket.getInputStream();
				server.getOutputStream().write(0);
				assertThat(in.read()).isZero();
				assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(in::read);
				server.getOutputStream().write(1);
				Awaitility.await().atMost(Patience.LONG).until(socket::hasInput);
				assertThat(in.read()).as("what has arrived").isEqualTo(1);
				socket.endReadsIn(Patience.LONG.toNanos());
				server.getOutputStream().write(2);
				assertThat(in.read()).isEqualTo(2);
			}
		}
	}

}
