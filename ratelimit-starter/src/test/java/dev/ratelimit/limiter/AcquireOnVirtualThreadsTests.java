package dev.ratelimit.limiter;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import dev.ratelimit.store.redis.SharedRedis;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Hundreds of virtual threads wait for their turn, and none of them keeps its carrier
 * meanwhile. The store is a real Redis.
 */
@EnabledForJreRange(min = JRE.JAVA_21)
class AcquireOnVirtualThreadsTests {

	private static final int WAITERS = 400;

	@ParameterizedTest
	@ValueSource(ints = { 1, 2 })
	void allWaitAtOnceOnFewCarriersAndAllAreReleased(int carriers) throws IOException {
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:TieredStopAtLevel=1", "-Djdk.virtualThreadScheduler.parallelism=" + carriers,
				"-Djdk.virtualThreadScheduler.maxPoolSize=" + carriers, "-Dlogging.level.root=warn", "-cp",
				System.getProperty("java.class.path"), VirtualWaiters.class.getName(),
				String.valueOf(SharedRedis.standalone().port()), String.valueOf(WAITERS))
			.redirectErrorStream(true)
			.start();
		try {
			String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			assertThat(output).containsPattern(
					(WAITERS - 1) + " waited at once on [1-" + carriers + "] carriers, " + WAITERS + " were released");
		}
		finally {
			process.destroyForcibly();
			SharedRedis.removeKeys();
		}
	}

}
