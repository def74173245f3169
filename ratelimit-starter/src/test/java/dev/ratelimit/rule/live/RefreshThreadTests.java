package dev.ratelimit.rule.live;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.rule.RuleSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each change of a file is noticed by its look, long before the interval is over; what
 * does not change the look is noticed at the interval.
 */
@Timeout(120)
class RefreshThreadTests {

	private static final Duration LONG = Duration.ofHours(1);

	@TempDir
	Path directory;

	private final AtomicInteger reads = new AtomicInteger();

	private Optional<RefreshThread> thread = Optional.empty();

	@AfterEach
	void close() {
		this.thread.ifPresent(RefreshThread::close);
	}

	private static RuleRefresh refresh(RuleSource source) {
		return new RuleRefresh(new RuleLayers(List.of(new RuleLayer(RuleOrigin.FILE, "file f", source))), (rules) -> {
		}, List::of, (event) -> {
		});
	}

	/** The file is read once before a test changes it. */
	private void start(Path file, Duration interval) {
		this.thread = Optional.of(RefreshThread.start(refresh(() -> {
			this.reads.incrementAndGet();
			return new RuleSet(List.of());
		}), Optional.of(file), interval));
		awaitReads(1);
	}

	private void awaitReads(int number) {
		Awaitility.await().untilAsserted(() -> assertThat(this.reads).hasValueGreaterThanOrEqualTo(number));
	}

	private Path file() throws IOException {
		return Files.writeString(this.directory.resolve("limits.yml"), "before");
	}

	@Test
	void writingTheFileIsNoticedOnce() throws Exception {
		start(file(), LONG);
		Files.writeString(this.directory.resolve("limits.yml"), "after it");
		awaitReads(2);
		assertNoMoreReads();
	}

	@Test
	void replacingTheFileIsNoticedThoughSizeAndTimeAreTheSame() throws Exception {
		Path file = file();
		start(file, LONG);
		Path other = Files.writeString(this.directory.resolve("limits.yml~"), "after!");
		Files.setLastModifiedTime(other, Files.getLastModifiedTime(file));
		Files.move(other, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
		awaitReads(2);
	}

	@Test
	void deletingTheFileIsNoticed() throws Exception {
		start(file(), LONG);
		Files.delete(this.directory.resolve("limits.yml"));
		awaitReads(2);
	}

	@Test
	void replacingTheLinkOfAKubernetesVolumeIsNoticed() throws Exception {
		FileTime time = FileTime.fromMillis(0);
		Path mounted = Files.createDirectory(this.directory.resolve("mounted"));
		Path old = Files.createDirectory(mounted.resolve("..2026_1"));
		Files.setLastModifiedTime(Files.writeString(old.resolve("limits.yml"), "before"), time);
		Files.createSymbolicLink(mounted.resolve("..data"), old.getFileName());
		Path seen = Files.createSymbolicLink(mounted.resolve("limits.yml"), Path.of("..data/limits.yml"));
		start(seen, LONG);
		Path next = Files.createDirectory(mounted.resolve("..2026_2"));
		Files.setLastModifiedTime(Files.writeString(next.resolve("limits.yml"), "after!"), time);
		Files.createSymbolicLink(mounted.resolve("..data_tmp"), next.getFileName());
		Files.move(mounted.resolve("..data_tmp"), mounted.resolve("..data"), StandardCopyOption.REPLACE_EXISTING,
				StandardCopyOption.ATOMIC_MOVE);
		awaitReads(2);
		assertThat(seen).hasContent("after!");
	}

	@Test
	void aFileThatAppearsWithItsDirectoryIsNoticed() throws Exception {
		Path later = this.directory.resolve("later/limits.yml");
		start(later, LONG);
		Files.writeString(Files.createDirectory(later.getParent()).resolve("limits.yml"), "after");
		awaitReads(2);
	}

	@Test
	void aFileIsNotReadWhileItIsWritten() throws Exception {
		Path file = file();
		start(file, LONG);
		for (int i = 0; i < 30; i++) {
			Files.writeString(file, "x".repeat(100 + i));
			assertThat(this.reads).hasValue(1);
			LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
		}
		awaitReads(2);
	}

	@Test
	void otherFilesAreIgnored() throws Exception {
		start(file(), LONG);
		Files.writeString(this.directory.resolve("other.log"), "line");
		assertNoMoreReads();
	}

	private void assertNoMoreReads() {
		int before = this.reads.get();
		Awaitility.await()
			.during(Duration.ofMillis(1200))
			.atMost(Duration.ofSeconds(20))
			.untilAsserted(() -> assertThat(this.reads).hasValue(before));
	}

	@Test
	void aSourceIsReadAtTheIntervalThoughItsFileLooksTheSame() throws Exception {
		start(file(), Duration.ofMillis(100));
		Awaitility.await().until(() -> this.reads.get() > 2);
	}

	@Test
	void theThreadGoesOnAfterAnError() {
		RuleLayers changing = new RuleLayers(List.of(new RuleLayer(RuleOrigin.BEAN, "bean b", () -> new RuleSet(
				List.of(RLConfig.builder("r").thresholds(this.reads.incrementAndGet() + "/s").build())))));
		AtomicInteger published = new AtomicInteger();
		RuleRefresh failing = new RuleRefresh(changing, (rules) -> {
		}, List::of, (event) -> {
			published.incrementAndGet();
			throw new OutOfMemoryError("of a test");
		});
		this.thread = Optional.of(RefreshThread.start(failing, Optional.empty(), Duration.ofMillis(1)));
		Awaitility.await().until(() -> published.get() > 1);
	}

	@Test
	void theThreadEndsThoughASourceSwallowsItsInterrupt() throws InterruptedException {
		CountDownLatch reading = new CountDownLatch(1);
		AtomicReference<Thread> reader = new AtomicReference<>();
		RefreshThread thread = RefreshThread.start(refresh(() -> {
			reader.set(Thread.currentThread());
			reading.countDown();
			LockSupport.park();
			boolean ignored = Thread.interrupted();
			return new RuleSet(List.of());
		}), Optional.empty(), LONG);
		reading.await();
		thread.close();
		reader.get().join();
	}

}
