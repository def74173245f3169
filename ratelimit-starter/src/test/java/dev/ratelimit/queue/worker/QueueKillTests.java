package dev.ratelimit.queue.worker;

import java.io.IOException;

import dev.ratelimit.embeddedredis.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A process that is killed with -9 loses nothing. The proof {@code queue} does it at each
 * of its commands.
 */
class QueueKillTests {

	private static RedisServer redis;

	@BeforeAll
	static void start() {
		redis = RedisServer.start();
	}

	@AfterAll
	static void stop() {
		redis.close();
	}

	@ParameterizedTest
	@ValueSource(ints = { 6, 14, 20 })
	@DisplayName("at least once, nothing lost, in order: the process is killed with -9 after the k-th Redis command")
	void nothingIsLost(int command) throws IOException, InterruptedException {
		KilledJob job = KilledJob.run(redis, command);
		assertThat(job.killed()).isTrue();
		assertThat(job.lines()).as("acknowledged before the process was killed")
			.anyMatch((line) -> line.startsWith("ENQUEUED"));
		job.assertPromises();
	}

}
