package dev.ratelimit.rule.live;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A thread that waits for a file is woken by each change of the file, long before the
 * time is up.
 */
@Timeout(120)
class FileWatchTests {

	private static final Duration LONG = Duration.ofHours(1);

	@TempDir
	Path directory;

	private Path file;

	private RefreshTrigger watch;

	@BeforeEach
	void watch() throws IOException {
		this.file = this.directory.resolve("limits.yml");
		Files.writeString(this.file, "before");
		this.watch = FileWatch.of(this.file, System::nanoTime);
		assertThat(this.watch).isInstanceOf(FileWatch.class);
	}

	@AfterEach
	void close() {
		this.watch.close();
	}

	@Test
	void writingTheFileWakesTheThread() throws Exception {
		Files.writeString(this.file, "after");
		this.watch.await(LONG);
	}

	@Test
	void replacingTheFileWakesTheThread() throws Exception {
		Path other = Files.writeString(this.directory.resolve("limits.yml~"), "after");
		Files.move(other, this.file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
		this.watch.await(LONG);
	}

	@Test
	void deletingTheFileWakesTheThread() throws Exception {
		Files.delete(this.file);
		this.watch.await(LONG);
	}

	@Test
	void replacingTheLinkOfAKubernetesVolumeWakesTheThread() throws Exception {
		Path mounted = Files.createDirectory(this.directory.resolve("mounted"));
		Path old = Files.createDirectory(mounted.resolve("..2026_1"));
		Files.writeString(old.resolve("limits.yml"), "before");
		Files.createSymbolicLink(mounted.resolve("..data"), old.getFileName());
		Path seen = Files.createSymbolicLink(mounted.resolve("limits.yml"), Path.of("..data/limits.yml"));
		try (RefreshTrigger watch = FileWatch.of(seen, System::nanoTime)) {
			Path next = Files.createDirectory(mounted.resolve("..2026_2"));
			Files.writeString(next.resolve("limits.yml"), "after");
			watch.await(LONG);
			Files.createSymbolicLink(mounted.resolve("..data_tmp"), next.getFileName());
			Files.move(mounted.resolve("..data_tmp"), mounted.resolve("..data"), StandardCopyOption.REPLACE_EXISTING,
					StandardCopyOption.ATOMIC_MOVE);
			watch.await(LONG);
			assertThat(seen).hasContent("after");
		}
	}

	@Test
	void otherFilesDoNotWakeTheThread() throws Exception {
		Files.writeString(this.directory.resolve("other.log"), "line");
		long start = System.nanoTime();
		this.watch.await(Duration.ofMillis(300));
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
	}

	@Test
	void changesOfOtherFilesDoNotShortenTheQuietMoment() throws Exception {
		Path log = this.directory.resolve("other.log");
		AtomicBoolean waiting = new AtomicBoolean(true);
		Thread writer = new Thread(() -> {
			while (waiting.get()) {
				append(log);
			}
		});
		Files.writeString(this.file, "half");
		writer.start();
		long start = System.nanoTime();
		try {
			this.watch.await(LONG);
		}
		finally {
			waiting.set(false);
			writer.join();
		}
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(50));
	}

	private static void append(Path log) {
		try {
			Files.writeString(log, "line\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		LockSupport.parkNanos(2_000_000);
	}

	@Test
	void aWatchMayStartBeforeItsDirectoryExists() throws Exception {
		Path later = this.directory.resolve("later/limits.yml");
		try (RefreshTrigger watch = FileWatch.of(later, System::nanoTime)) {
			watch.await(Duration.ofMillis(1));
			Files.createDirectory(later.getParent());
			watch.await(Duration.ofMillis(1));
			Files.writeString(later, "after");
			watch.await(LONG);
		}
	}

}
