package dev.ratelimit.integration.compatibility;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.ratelimit.fixture.OlderRedis;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every server decides alike: the contract of a store, the histories of its oracles, a
 * Cluster, Sentinels and the least rights, against each server of this machine. Those are
 * the one of the build, Redis 6.2 on Linux and amd64, what is on the PATH, and what
 * {@code -Dproof.servers} names, separated as in a PATH.
 */
@Tag("proof-versions")
class VersionsProof {

	private static final Pattern COUNTS = Pattern
		.compile("((?:redis|valkey) \\S+): (\\d+) passed, \\d+ failed, (\\d+) skipped");

	/** Redis 6.2 lacks two commands by which tests observe a server. */
	private static final int MOST_SKIPPED_ON_6 = 24;

	private static final List<String> CLASSES = Stream
		.of("store.StoreContractTests", "store.BucketContractTests", "store.TurnContractTests",
				"store.InspectorContractTests", "store.redis.RedisBucketTests", "store.redis.RedisCounterTests",
				"store.redis.RedisInspectorTests", "store.redis.RedisInstancesTests", "store.redis.OracleTests",
				"store.redis.PlansOracleTests", "store.redis.SyncOracleTests", "store.redis.CounterOracleTests",
				"store.redis.BucketOracleTests", "store.redis.TurnOracleTests", "store.redis.LargeLogTests",
				"store.redis.ReleasedKeysTests", "store.redis.ClusterTests", "store.redis.FailureTests",
				"store.redis.LeastRightsTests", "queue.ItemQueueContractTests", "queue.redis.RedisItemQueueTests")
		.map((name) -> "dev.ratelimit." + name)
		.toList();

	@TempDir
	static Path directory;

	@TestFactory
	Stream<DynamicTest> everyServerDecidesAlike() throws IOException {
		return servers().map((server) -> DynamicTest.dynamicTest("server " + server, () -> decidesAlike(server)));
	}

	/** An empty path is the server that the build brings. */
	private static Stream<String> servers() throws IOException {
		Stream<Path> onPath = paths(System.getenv("PATH"))
			.flatMap((folder) -> Stream.of("redis-server", "valkey-server").map(folder::resolve))
			.filter(Files::isExecutable);
		Stream<Path> older = OlderRedis.runsHere() ? Stream.of(OlderRedis.unpack(directory)) : Stream.empty();
		Stream<Path> some = Stream.of(older, onPath, paths(System.getProperty("proof.servers", "")))
			.flatMap(Function.identity());
		return Stream.concat(Stream.of(""), some.map(Path::toString).distinct());
	}

	private static Stream<Path> paths(String separated) {
		return Arrays.stream(separated.split(File.pathSeparator)).filter((path) -> !path.isBlank()).map(Path::of);
	}

	private static void decidesAlike(String server) throws IOException, InterruptedException {
		List<String> command = new ArrayList<>(List.of(
				Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Dredis.server=" + server,
				"-Dproperty.all=true", "-cp", System.getProperty("java.class.path"), SelectedTests.class.getName()));
		command.addAll(CLASSES);
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		Matcher counts = COUNTS.matcher(output);
		assertThat(counts.find()).as(output).isTrue();
		System.out.println("P33 " + counts.group());
		assertThat(process.waitFor()).as(output).isZero();
		assertThat(Integer.parseInt(counts.group(2))).as(output).isGreaterThan(MOST_SKIPPED_ON_6);
		assertThat(Integer.parseInt(counts.group(3))).as(output)
			.isLessThanOrEqualTo(counts.group(1).startsWith("redis 6.") ? MOST_SKIPPED_ON_6 : 0);
	}

}
