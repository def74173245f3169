package dev.ratelimit.integration.support;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The test application in a process of its own.
 */
public final class AppProcess implements AutoCloseable {

	private static final Pattern STARTED = Pattern.compile("Tomcat started on port (\\d+)");

	private final Process process;

	private final BufferedReader output;

	private int port;

	/** With the class path of the tests. */
	public AppProcess(List<String> arguments) throws IOException {
		this(System.getProperty("java.class.path"), arguments);
	}

	public AppProcess(String classPath, List<String> arguments) throws IOException {
		this(Path.of(System.getProperty("java.home")), "-XX:TieredStopAtLevel=1", classPath, arguments);
	}

	/**
	 * Start the process.
	 * @param jdk where its JDK is
	 * @param option an option of its Java virtual machine
	 * @param classPath its class path
	 * @param arguments those of the application; {@code --spring.main.sources} names
	 * further beans
	 */
	public AppProcess(Path jdk, String option, String classPath, List<String> arguments) throws IOException {
		List<String> command = new ArrayList<>(List.of(jdk.resolve("bin").resolve("java").toString(), option,
				"-XX:+UseSerialGC", "-cp", classPath, TestApplication.class.getName(), "--server.port=0",
				"--spring.main.banner-mode=off", App.NO_SECURITY));
		command.addAll(arguments);
		this.process = new ProcessBuilder(command).redirectErrorStream(true).start();
		this.output = this.process.inputReader(StandardCharsets.UTF_8);
	}

	/** Wait until Tomcat listens; the output until then explains a failure. */
	public void awaitStart() throws IOException {
		StringBuilder log = new StringBuilder();
		for (String line = this.output.readLine(); line != null; line = this.output.readLine()) {
			log.append(line).append('\n');
			Matcher started = STARTED.matcher(line);
			if (started.find()) {
				this.port = Integer.parseInt(started.group(1));
				return;
			}
		}
		throw new IllegalStateException("The process ended:\n" + log);
	}

	/** The output of the process since the last call. */
	public String newOutput() throws IOException {
		StringBuilder log = new StringBuilder();
		while (this.output.ready()) {
			log.append(this.output.readLine()).append('\n');
		}
		return log.toString();
	}

	public int port() {
		return this.port;
	}

	/** End the process without an orderly shutdown. */
	public void kill() {
		this.process.destroyForcibly();
	}

	@Override
	public void close() {
		kill();
	}

}
