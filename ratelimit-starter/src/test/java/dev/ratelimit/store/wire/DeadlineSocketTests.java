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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What may be read after the deadline.
 */
class DeadlineSocketTests {

	private final DeadlineSocket socket = new DeadlineSocket(Deadline.in(Patience.LONG));

	private final ServerSocket listener;

	private final Socket server;

	DeadlineSocketTests() throws IOException {
		this.listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
		this.socket.connect(this.listener.getLocalSocketAddress());
		this.server = this.listener.accept();
	}

	@BeforeEach
	void sendMoreThanMayBeReadLate() throws IOException {
		this.server.getOutputStream().write(new byte[100]);
		Awaitility.await().atMost(Patience.LONG).until(() -> this.socket.getInputStream().available() == 100);
		this.socket.readUntil(Deadline.in(Duration.ZERO));
	}

	@AfterEach
	void close() throws IOException {
		this.socket.close();
		this.server.close();
		this.listener.close();
	}

	@Test
	void headAndBodyOfARecordThatHasArrivedAreRead() throws IOException {
		InputStream in = this.socket.getInputStream();
		assertThat(in.read(new byte[5])).isEqualTo(5);
		assertThat(in.read(new byte[95])).isEqualTo(95);
		assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(in::read);
	}

	@Test
	void bytesThatArriveOneByOneAreNotReadForEver() throws IOException {
		InputStream in = this.socket.getInputStream();
		for (int i = 0; i < 8; i++) {
			assertThat(in.read()).isZero();
		}
		assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(in::read);
	}

}
