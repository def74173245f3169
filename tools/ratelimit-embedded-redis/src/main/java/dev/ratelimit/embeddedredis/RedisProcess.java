package dev.ratelimit.embeddedredis;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * One {@code redis-server} process with its own directory, guarded by a watchdog. The
 * watchdog is a shell that stops the server and removes the directory as soon as its
 * standard input, a pipe from this JVM, ends. The operating system closes that pipe even
 * when this JVM is killed.
 */
final class RedisProcess implements AutoCloseable {

	private static final Duration START_TIMEOUT = Duration.ofSeconds(10);

	private static final long CLOSE_TIMEOUT_SECONDS = 10;

	private static final int TAIL_LINES = 20;

	private final Path directory;

	private final Process watchdog;

	private final OutputStream commands;

	private final BufferedReader replies;

	private volatile @Nullable ProcessHandle server;

	private volatile long pid;

	/** Whether the watchdog has not yet reported that the server has ended. */
	private boolean running;

	private RedisProcess(Path directory, Process watchdog) {
		this.directory = directory;
		this.watchdog = watchdog;
		this.commands = watchdog.getOutputStream();
		this.replies = watchdog.inputReader(StandardCharsets.US_ASCII);
	}

	/**
	 * Prepare a server, without starting it.
	 * @param configuration lines of its configuration file
	 * @param options arguments that follow the configuration file and override it
	 * @return a process that must be closed
	 */
	static RedisProcess prepare(List<String> configuration, List<String> options) {
		Path binary = RedisBinary.find();
		try {
			Path directory = Files.createTempDirectory("redis-");
			Files.write(directory.resolve("redis.conf"), configuration);
			List<String> command = new ArrayList<>();
			// Its own session: Ctrl-C in the terminal is for the application, which may
			// still need its server while it shuts down.
			Executables.onPath("setsid").ifPresent((setsid) -> command.add(setsid.toString()));
			command.addAll(List.of("sh", watchdog(directory).toString(), directory.toString(), binary.toString(),
					"redis.conf"));
			command.addAll(options);
			return new RedisProcess(directory, new ProcessBuilder(command).redirectError(Redirect.DISCARD).start());
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot prepare " + binary, ex);
		}
	}

	private static Path watchdog(Path directory) throws IOException {
		Path script = directory.resolve("watchdog.sh");
		try (InputStream resource = RedisProcess.class.getResourceAsStream("watchdog.sh")) {
			Files.copy(Objects.requireNonNull(resource), script);
		}
		return script;
	}

	/**
	 * Start the server, which must not be running, and wait until it accepts connections.
	 * @throws RedisStartException if it ends instead
	 * @throws IllegalStateException if it does neither within ten seconds
	 */
	synchronized void start() {
		try {
			this.commands.write('\n');
			this.commands.flush();
			this.pid = Long.parseLong(reply());
			this.running = true;
			this.server = ProcessHandle.of(this.pid).orElse(null);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The watchdog is gone", ex);
		}
		Await.until(START_TIMEOUT, () -> !isAlive() || isServing(),
				() -> "The Redis server does not accept connections\n" + logTail());
		if (!isAlive()) {
			throw new RedisStartException("The Redis server ended at once\n" + logTail());
		}
	}

	/**
	 * Reads the log, because that works with passwords, TLS and Sentinel alike, and
	 * distinguishes this server from another process on the port.
	 */
	private boolean isServing() {
		String log = log();
		return log.contains("Ready to accept connections") || log.contains("Sentinel ID is");
	}

	private String reply() throws IOException {
		String line = this.replies.readLine();
		if (line == null) {
			throw new IOException("No reply");
		}
		return line;
	}

	long pid() {
		return this.pid;
	}

	boolean isAlive() {
		ProcessHandle server = this.server;
		return server != null && server.isAlive();
	}

	/**
	 * Send a signal to the server.
	 * @param name for example {@code STOP}
	 */
	void signal(String name) {
		try {
			Process kill = new ProcessBuilder("sh", "-c", "kill -s \"$1\" \"$2\"", "sh", name, Long.toString(this.pid))
				.redirectErrorStream(true)
				.start();
			String output = new String(kill.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			if (kill.waitFor() != 0) {
				throw new IllegalStateException("Cannot send " + name + " to " + this.pid + ": " + output);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot send " + name + " to " + this.pid, ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted", ex);
		}
	}

	/** Kill the server if it is alive, and wait until it is dead. */
	synchronized void kill() {
		ProcessHandle server = this.server;
		if (this.running && server != null) {
			server.destroyForcibly();
		}
		awaitExit();
	}

	private void awaitExit() {
		if (!this.running) {
			return;
		}
		try {
			reply();
			this.running = false;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The watchdog is gone", ex);
		}
	}

	/** Kill the server if it is alive, and start it again in the same directory. */
	synchronized void restart() {
		kill();
		start();
	}

	private String log() {
		try {
			return Files.readString(this.directory.resolve("redis.log"), StandardCharsets.ISO_8859_1);
		}
		catch (IOException ex) {
			return "No log: " + ex;
		}
	}

	String logTail() {
		List<String> lines = log().lines().toList();
		return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
	}

	/** Stop the server and remove its directory. */
	@Override
	public synchronized void close() {
		try {
			this.commands.close();
			if (!this.watchdog.waitFor(CLOSE_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
				throw new IllegalStateException("The Redis server " + this.pid + " does not end");
			}
			this.replies.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			// The watchdog continues without this JVM.
			Thread.currentThread().interrupt();
		}
	}

}
