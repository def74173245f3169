package dev.ratelimit.sample;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The sample application in a process of its own, on a free port and with its own Redis
 * Cluster, from the classes that the build has made.
 */
public final class SampleProcess implements AutoCloseable {

	private static final Pattern STARTED = Pattern.compile("Tomcat started on port (\\d+)");

	private final Process process;

	private final List<String> log = new CopyOnWriteArrayList<>();

	private final int port;

	private SampleProcess(Process process) {
		this.process = process;
		BufferedReader output = new BufferedReader(
				new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
		this.port = awaitPort(output);
		Thread reader = new Thread(() -> output.lines().forEach(this.log::add), "sample-process-log");
		reader.setDaemon(true);
		reader.start();
	}

	/**
	 * Start it and wait until it serves.
	 * @param options for the JVM, those that begin with two dashes for the application
	 * @return the running application
	 * @throws IllegalStateException if it ends instead; the message shows its log
	 */
	public static SampleProcess start(String... options) {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Dsample.exit-with-parent=true"));
		Stream.of(options).filter((option) -> !option.startsWith("--")).forEach(command::add);
		command.addAll(List.of("-cp", System.getProperty("java.class.path"), SampleApplication.class.getName(),
				"--server.port=0", "--spring.main.banner-mode=off"));
		Stream.of(options).filter((option) -> option.startsWith("--")).forEach(command::add);
		try {
			return new SampleProcess(new ProcessBuilder(command).redirectErrorStream(true).start());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private int awaitPort(BufferedReader output) {
		try {
			for (String line = output.readLine(); line != null; line = output.readLine()) {
				this.log.add(line);
				Matcher started = STARTED.matcher(line);
				if (started.find()) {
					return Integer.parseInt(started.group(1));
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		throw new IllegalStateException("The application ended:\n" + log());
	}

	public String log() {
		return String.join("\n", this.log);
	}

	public String url() {
		return "http://127.0.0.1:" + this.port;
	}

	int port() {
		return this.port;
	}

	@Override
	public void close() {
		this.process.destroy();
		this.process.onExit().join();
	}

}
