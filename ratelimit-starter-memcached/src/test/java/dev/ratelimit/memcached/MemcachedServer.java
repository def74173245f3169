package dev.ratelimit.memcached;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import dev.ratelimit.memcached.meta.MemcachedConnections;
import dev.ratelimit.memcached.meta.ServerAddress;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;

/**
 * A real Memcached on a port of its own: the one that the environment variable
 * {@code MEMCACHED_SERVER} names, or the one on the PATH.
 */
public final class MemcachedServer implements AutoCloseable {

	private static final String NAMED = "MEMCACHED_SERVER";

	private static final int MOST_TRIES = 1000;

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private final int port;

	private final List<String> options;

	private Process process;

	private MemcachedServer(int port, List<String> options) {
		this.port = port;
		this.options = options;
		this.process = launch();
	}

	/**
	 * Start a server, or skip the test where there is none.
	 * @param options further options of the command line
	 * @return the server, ready for connections
	 */
	public static MemcachedServer start(String... options) {
		Assumptions.assumeTrue(executable().isPresent(),
				() -> "There is no memcached on the PATH, and " + NAMED + " names none");
		return startOrFail(options);
	}

	/**
	 * Start a server.
	 * @param options further options of the command line
	 * @return the server, ready for connections
	 * @throws IllegalStateException if there is no Memcached
	 */
	public static MemcachedServer startOrFail(String... options) {
		return new MemcachedServer(freePort(), List.of(options));
	}

	private static Optional<String> executable() {
		String named = System.getenv(NAMED);
		if (named != null) {
			return Optional.of(named);
		}
		return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
			.map((directory) -> Path.of(directory, "memcached"))
			.filter(Files::isExecutable)
			.map(Path::toString)
			.findFirst();
	}

	/** Skip the test where Memcached was built without TLS. */
	public static void assumeTls() throws IOException {
		Optional<String> executable = executable();
		Assumptions.assumeTrue(executable.isPresent(), "There is no memcached");
		Process help = new ProcessBuilder(executable.get(), "-h").redirectErrorStream(true).start();
		String text = new String(help.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		Assumptions.assumeTrue(text.contains("--enable-ssl"), "This memcached was built without TLS");
	}

	private static int freePort() {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private Process launch() {
		List<String> command = new ArrayList<>(
				List.of(executable().orElseThrow(() -> new IllegalStateException("There is no memcached")), "-l",
						"127.0.0.1", "-p", Integer.toString(this.port), "-U", "0", "-t", "1", "-u", "nobody"));
		command.addAll(this.options);
		try {
			Process launched = new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.start();
			Runtime.getRuntime().addShutdownHook(new Thread(launched::destroyForcibly));
			awaitReady(launched);
			return launched;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void awaitReady(Process launched) {
		long end = System.nanoTime() + PATIENCE.toNanos();
		while (!isListening()) {
			if (!launched.isAlive() || System.nanoTime() - end > 0) {
				throw new IllegalStateException("Memcached does not start on port " + this.port);
			}
			LockSupport.parkNanos(1_000_000);
		}
		if (!launched.isAlive()) {
			throw new IllegalStateException("Another server took port " + this.port + " meanwhile");
		}
	}

	private boolean isListening() {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.port)) {
			return socket.isConnected();
		}
		catch (IOException ex) {
			return false;
		}
	}

	public int port() {
		return this.port;
	}

	public ServerAddress address() {
		return new ServerAddress("127.0.0.1", this.port);
	}

	/** Connections to servers, as an application has them by default. */
	public static MemcachedConnections connections(ServerAddress... servers) {
		return new MemcachedConnections(List.of(servers), Duration.ofMillis(500), 8, 10_000, Optional.empty(),
				Optional.empty());
	}

	/**
	 * Send commands on a connection of their own.
	 * @param commands the commands
	 * @return the lines of all replies
	 */
	public List<String> ask(String... commands) {
		return linesBefore("MN", String.join("\r\n", commands) + "\r\nmn\r\n").orElseThrow();
	}

	/**
	 * The keys that it stores; it lists none while it looks for those that have expired.
	 */
	public List<String> keys() {
		return Stream.generate(() -> linesBefore("END", "lru_crawler metadump all\r\n"))
			.limit(MOST_TRIES)
			.flatMap(Optional::stream)
			.findFirst()
			.orElseThrow()
			.stream()
			.map((line) -> line.substring("key=".length(), line.indexOf(' ')))
			.map((key) -> URLDecoder.decode(key, StandardCharsets.UTF_8))
			.sorted()
			.toList();
	}

	private Optional<List<String>> linesBefore(String end, String commands) {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.port)) {
			socket.setSoTimeout((int) PATIENCE.toMillis());
			socket.getOutputStream().write(commands.getBytes(StandardCharsets.UTF_8));
			BufferedReader in = new BufferedReader(
					new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
			List<String> lines = new ArrayList<>();
			for (String line = in.readLine(); !end.equals(line); line = in.readLine()) {
				if (line == null) {
					throw new IOException("Closed before " + end);
				}
				if (line.startsWith("BUSY")) {
					LockSupport.parkNanos(10_000_000);
					return Optional.empty();
				}
				lines.add(line);
			}
			return Optional.of(lines);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** End it without warning. */
	public void kill() {
		this.process.destroyForcibly();
		this.process.onExit().join();
	}

	/** Start it anew, empty, on the same port. */
	public void restart() {
		kill();
		this.process = launch();
	}

	/** Suspend it, so that it accepts connections and replies to nothing. */
	public void suspend() {
		signal("-STOP");
		File[] threads = new File("/proc/" + this.process.pid() + "/task").listFiles();
		for (File thread : (threads != null) ? threads : new File[0]) {
			// One that sleeps may answer until it has noticed.
			Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> isStopped(thread));
		}
	}

	private static boolean isStopped(File thread) throws IOException {
		return Files.readString(thread.toPath().resolve("stat")).contains(") T ");
	}

	/** Let it go on. */
	public void resume() {
		signal("-CONT");
	}

	private void signal(String signal) {
		try {
			new ProcessBuilder("kill", signal, Long.toString(this.process.pid())).start().onExit().join();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		kill();
	}

}
