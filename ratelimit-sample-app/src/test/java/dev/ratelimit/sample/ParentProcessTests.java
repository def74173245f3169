package dev.ratelimit.sample;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ParentProcessTests {

	private static final int TIMEOUT_MILLIS = (int) Duration.ofSeconds(15).toMillis();

	@Test
	void applicationEndsWhenItsParentIsKilled() throws Exception {
		try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			listener.setSoTimeout(TIMEOUT_MILLIS);
			Process parent = startParent(listener.getLocalPort());
			try (Socket child = listener.accept()) {
				child.setSoTimeout(TIMEOUT_MILLIS);
				assertThat(child.getInputStream().read()).isEqualTo('!');
				parent.destroyForcibly();
				// The operating system closes the connection when the child has ended.
				assertThat(child.getInputStream().read()).isEqualTo(-1);
			}
		}
	}

	private static Process startParent(int port) throws IOException {
		return new ProcessBuilder("sh", "-c", "\"$@\" & wait", "sh",
				Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Dsample.exit-with-parent=true",
				"-cp", System.getProperty("java.class.path"), Child.class.getName(), Integer.toString(port))
			.inheritIO()
			.start();
	}

	/** Connects to the test, and runs until it is ended. */
	static final class Child {

		private Child() {
		}

		public static void main(String[] args) throws IOException {
			ParentProcess.exitWithIt();
			try (Socket test = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]))) {
				test.getOutputStream().write('!');
				test.getInputStream().read();
			}
		}

	}

}
