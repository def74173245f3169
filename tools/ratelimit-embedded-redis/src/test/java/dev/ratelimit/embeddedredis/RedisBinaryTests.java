package dev.ratelimit.embeddedredis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class RedisBinaryTests {

	private final String temporary = System.getProperty("java.io.tmpdir");

	private final String architecture = System.getProperty("os.arch");

	@TempDir
	private Path directory;

	@AfterEach
	void restore() {
		System.clearProperty(RedisBinary.PROPERTY);
		System.setProperty("java.io.tmpdir", this.temporary);
		System.setProperty("os.arch", this.architecture);
	}

	@Test
	void theConfiguredBinaryIsRun() throws IOException {
		Path used = this.directory.resolve("used");
		Path given = executable("my redis",
				"#!/bin/sh\ntouch '" + used + "'\nexec '" + RedisBinary.find() + "' \"$@\"\n");
		System.setProperty(RedisBinary.PROPERTY, given.toString());
		try (RedisServer server = RedisServer.start()) {
			assertThat(server.isAlive()).isTrue();
			assertThat(used).exists();
		}
	}

	@Test
	void aMissingConfiguredBinaryIsNamedInTheError() {
		System.setProperty(RedisBinary.PROPERTY, "/no/such/redis-server");
		assertThatIllegalStateException().isThrownBy(RedisServer::start)
			.withMessage("The system property redis.server names '/no/such/redis-server', "
					+ "which is not an executable file");
	}

	@Test
	void aConfiguredFileThatIsNotExecutableIsRejected() throws IOException {
		Path file = Files.createFile(this.directory.resolve("plain"));
		System.setProperty(RedisBinary.PROPERTY, file.toString());
		assertThatIllegalStateException().isThrownBy(RedisBinary::find).withMessageContaining("not an executable file");
	}

	@Test
	void aPlatformWithoutABinaryUsesThePathOrListsTheWaysToConfigureOne() {
		System.setProperty("os.arch", "pdp11");
		assertThat(PinnedRedisBinary.unpack()).isEmpty();
		assertThat(PinnedRedisBinary.platform()).endsWith("-pdp11");
		Executables.onPath("redis-server")
			.ifPresentOrElse((binary) -> assertThat(RedisBinary.find()).isEqualTo(binary),
					() -> assertThatIllegalStateException().isThrownBy(RedisBinary::find)
						.withMessageContainingAll("-pdp11", "redis.server", "REDIS_SERVER", "org.signal:embedded-redis",
								"PATH"));
	}

	@Test
	void concurrentThreadsFindTheSamePinnedBinary() throws Exception {
		System.setProperty("java.io.tmpdir", this.directory.toString());
		ExecutorService threads = Executors.newFixedThreadPool(8);
		try {
			Callable<Path> find = RedisBinary::find;
			List<Future<Path>> found = threads.invokeAll(Stream.generate(() -> find).limit(8).toList());
			Path binary = found.get(0).get();
			assertThat(binary).isExecutable().startsWith(this.directory);
			for (Future<Path> other : found) {
				assertThat(other.get()).isEqualTo(binary);
			}
			assertThat(binary.getParent().toFile().list()).containsExactly(binary.getFileName().toString());
		}
		finally {
			threads.shutdownNow();
		}
	}

	@Test
	void directoryThatOthersCanWriteToIsNotTrusted() throws IOException {
		System.setProperty("java.io.tmpdir", this.directory.toString());
		Path open = RedisBinary.find().getParent();
		Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
		assertThatIllegalStateException().isThrownBy(RedisBinary::find)
			.withMessage(open + " is not a directory of this user alone; remove it");
	}

	private Path executable(String name, String text) throws IOException {
		Path file = Files.writeString(this.directory.resolve(name), text);
		Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
		return file;
	}

}
