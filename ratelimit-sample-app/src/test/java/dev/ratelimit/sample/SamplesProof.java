package dev.ratelimit.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.ratelimit.RateLimiter;
import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.test.RateLimitClock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.util.FileSystemUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each of the samples is a build of its own, with the jars and the POMs that this build
 * would publish. Its tests are green, and red where no rule is in force. The jars are
 * staged in a repository before that of the machine, which is not changed.
 */
@Tag("proof-samples")
class SamplesProof {

	private static final Path SAMPLES = Path.of("../samples");

	private static final Path REPOSITORY = Path.of("target/samples-repository").toAbsolutePath();

	private static RedisServer redis;

	@BeforeAll
	static void prepare() throws Exception {
		stage(RateLimiter.class);
		stage(RateLimitClock.class);
		redis = RedisServer.start();
	}

	@AfterAll
	static void stop() {
		redis.close();
	}

	static List<String> samples() throws IOException {
		try (Stream<Path> folders = Files.list(SAMPLES)) {
			return folders.filter(Files::isDirectory)
				.map((folder) -> folder.getFileName().toString())
				.sorted()
				.toList();
		}
	}

	@ParameterizedTest
	@MethodSource("samples")
	void theTestsAreGreenWithTheRulesAndRedWithoutThem(String sample, @TempDir Path build) throws Exception {
		FileSystemUtils.copyRecursively(SAMPLES.resolve(sample), build);
		FileSystemUtils.deleteRecursively(build.resolve("target"));
		Run with = maven(build, "verify");
		assertThat(with.exit()).as(with.output()).isZero();
		assertThat(with.output()).doesNotContain(" WARN ");
		int tests = count(build, "tests");
		assertThat(tests).isPositive();
		assertThat(count(build, "skipped")).isZero();

		Run without = maven(build, "-Dratelimit.enabled=false", "surefire:test");
		int failures = count(build, "failures");
		assertThat(failures).as(without.output()).isPositive();
		assertThat(count(build, "tests")).as(without.output()).isEqualTo(tests);
		assertThat(count(build, "errors")).as(without.output()).isZero();
		System.out.printf("samples %s: %d tests, green; without its rules %d red%n", sample, tests, failures);
	}

	/** A class of the module, as the build has packaged it just before. */
	private static void stage(Class<?> type) throws IOException, URISyntaxException {
		Path jar = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
		assertThat(jar).as("Packaged by 'verify' only").isRegularFile();
		String name = jar.getFileName().toString().replace(".jar", "");
		String version = type.getPackage().getImplementationVersion();
		String artifact = name.substring(0, name.length() - version.length() - 1);
		Path home = Files.createDirectories(REPOSITORY.resolve("dev/ratelimit").resolve(artifact).resolve(version));
		Files.copy(jar, home.resolve(name + ".jar"), StandardCopyOption.REPLACE_EXISTING);
		Files.copy(jar.resolveSibling("flattened-pom.xml"), home.resolve(name + ".pom"),
				StandardCopyOption.REPLACE_EXISTING);
	}

	private static Run maven(Path build, String... arguments) throws IOException, InterruptedException {
		String known = System.getProperty("localRepository",
				Path.of(System.getProperty("user.home"), ".m2", "repository").toString());
		List<String> command = new ArrayList<>(List.of(Path.of("../mvnw").toAbsolutePath().toString(), "-q", "-B", "-f",
				build.resolve("pom.xml").toString(), "-Dmaven.repo.local=" + REPOSITORY,
				"-Dmaven.repo.local.tail=" + known, "-Dmaven.repo.local.tail.ignoreAvailability=true",
				"-Dspring.data.redis.port=" + redis.port()));
		command.addAll(List.of(arguments));
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		process.getOutputStream().close();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		return new Run(process.waitFor(), output);
	}

	/** Summed over the reports that Surefire has written. */
	private static int count(Path build, String what) throws IOException {
		Pattern attribute = Pattern.compile("<testsuite [^>]* " + what + "=\"(\\d+)\"");
		try (Stream<Path> reports = Files.list(build.resolve("target/surefire-reports"))) {
			return reports.filter((report) -> report.toString().endsWith(".xml"))
				.flatMap((report) -> attribute.matcher(read(report)).results())
				.mapToInt((suite) -> Integer.parseInt(suite.group(1)))
				.sum();
		}
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** What Maven has printed, and how it has ended. */
	private record Run(int exit, String output) {
	}

}
