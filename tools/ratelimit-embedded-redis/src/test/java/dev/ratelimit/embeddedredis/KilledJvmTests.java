package dev.ratelimit.embeddedredis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class KilledJvmTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	@TempDir
	private Path temporary;

	@ParameterizedTest
	@ValueSource(strings = { "KILL", "TERM" })
	void jvmEndedBySignalLeavesNoServerAndNoDirectory(String signal) throws Exception {
		Process jvm = startJvm();
		ProcessHandle server = server(jvm);
		assertThat(serverDirectories()).hasSize(1);
		kill(signal, jvm.pid());
		awaitNothingLeft(server);
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void jvmKilledWithItsWholeProcessGroupLeavesNoServerAndNoDirectory() throws Exception {
		Process jvm = startJvm("setsid");
		ProcessHandle server = server(jvm);
		kill("KILL", -jvm.pid());
		awaitNothingLeft(server);
	}

	private Process startJvm(String... prefix) throws IOException {
		List<String> java = List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:TieredStopAtLevel=1", "-Djava.io.tmpdir=" + this.temporary, "-cp",
				System.getProperty("java.class.path"), RedisServerHolder.class.getName());
		return new ProcessBuilder(Stream.concat(Stream.of(prefix), java.stream()).toList())
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
	}

	private static ProcessHandle server(Process jvm) throws IOException {
		long pid = Long.parseLong(jvm.inputReader().readLine());
		ProcessHandle server = ProcessHandle.of(pid).orElseThrow();
		assertThat(server.info().command())
			.hasValueSatisfying((command) -> assertThat(command).contains("redis-server"));
		return server;
	}

	private static void kill(String signal, long pid) throws Exception {
		Process kill = new ProcessBuilder("sh", "-c", "kill -s \"$1\" -- \"$2\"", "sh", signal, Long.toString(pid))
			.inheritIO()
			.start();
		assertThat(kill.waitFor()).isZero();
	}

	private void awaitNothingLeft(ProcessHandle server) {
		Await.until(TIMEOUT, () -> !server.isAlive(), () -> "The server is still alive");
		Await.until(TIMEOUT, () -> serverDirectories().isEmpty(), () -> "Left behind: " + serverDirectories());
	}

	private List<Path> serverDirectories() {
		try (Stream<Path> files = Files.list(this.temporary)) {
			return files.filter((file) -> file.getFileName().toString().startsWith("redis-")).toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
