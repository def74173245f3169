package dev.ratelimit.integration.live;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The PostgreSQL of the PATH, else Debian's, on a free port with data of its own. It
 * refuses to run as root; tests that run as root start it as the user that its package
 * creates.
 */
final class Postgres implements AutoCloseable {

	private static final Path DEBIAN = Path.of("/usr/lib/postgresql");

	private static final boolean ROOT = "root".equals(System.getProperty("user.name"));

	private final Path data;

	private final int port;

	private Postgres(Path data, int port) {
		this.data = data;
		this.port = port;
	}

	static boolean isInstalled() throws IOException {
		return programs().isPresent();
	}

	/** The directory of its programs. */
	private static Optional<Path> programs() throws IOException {
		List<Path> directories = new ArrayList<>();
		for (String directory : System.getenv("PATH").split(File.pathSeparator, -1)) {
			directories.add(Path.of(directory));
		}
		if (Files.isDirectory(DEBIAN)) {
			try (Stream<Path> versions = Files.list(DEBIAN)) {
				versions.sorted(Comparator.reverseOrder())
					.map((version) -> version.resolve("bin"))
					.forEach(directories::add);
			}
		}
		return directories.stream()
			.filter((directory) -> Stream.of("initdb", "pg_ctl")
				.allMatch((program) -> Files.isExecutable(directory.resolve(program))))
			.findFirst();
	}

	static Postgres start() throws IOException {
		// The server's user needs access too.
		Path data = Files.createTempDirectory(Path.of("/tmp"), "ratelimit-postgres");
		if (ROOT) {
			Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxrwxrwx"));
		}
		Postgres postgres = new Postgres(data, freePort());
		postgres.call("initdb", "-D", postgres.cluster(), "-A", "trust", "-U", "postgres", "--no-sync");
		postgres.run();
		return postgres;
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
	}

	int port() {
		return this.port;
	}

	private String cluster() {
		return this.data.resolve("cluster").toString();
	}

	void run() throws IOException {
		call("pg_ctl", "-D", cluster(), "-w", "-l", this.data.resolve("log").toString(), "-o",
				"-p " + this.port + " -h 127.0.0.1 -k " + this.data + " -c fsync=off", "start");
	}

	void stop() throws IOException {
		call("pg_ctl", "-D", cluster(), "-w", "-m", "immediate", "stop");
	}

	private void call(String name, String... arguments) throws IOException {
		List<String> command = new ArrayList<>(
				ROOT ? List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups") : List.of());
		command.add(programs().orElseThrow().resolve(name).toString());
		command.addAll(List.of(arguments));
		File output = Files.createTempFile("postgres", ".out").toFile();
		Process process = new ProcessBuilder(command).directory(this.data.toFile())
			.redirectErrorStream(true)
			.redirectOutput(output)
			.start();
		if (!ends(process) || process.exitValue() != 0) {
			process.destroyForcibly();
			throw new IllegalStateException(command + ": " + Files.readString(output.toPath()));
		}
		Files.delete(output.toPath());
	}

	private static boolean ends(Process process) {
		try {
			return process.waitFor(2, TimeUnit.MINUTES);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() throws IOException {
		try {
			stop();
		}
		finally {
			try (Stream<Path> files = Files.walk(this.data)) {
				for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
					Files.delete(file);
				}
			}
		}
	}

}
