package dev.ratelimit.queue.worker;

import java.io.IOException;

import dev.ratelimit.embeddedredis.RedisServer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A process that enqueues and handles requests is killed with -9 at its k-th Redis
 * command, for every k: another process finds all acknowledged requests, and handles them
 * in order.
 */
@Tag("proof-queue")
class QueueKillProof {

	private static final int FEWEST_COMMANDS = 30;

	@Test
	@DisplayName("the process is killed with -9 after the k-th Redis command, for every k")
	void nothingIsLostWheneverTheProcessIsKilled() throws IOException, InterruptedException {
		int command = 1;
		int again = 0;
		try (RedisServer redis = RedisServer.start()) {
			for (boolean killed = true; killed; command++) {
				KilledJob job = KilledJob.run(redis, command);
				job.assertPromises();
				killed = job.killed();
				again += (int) (job.lines().size() - job.lines().stream().distinct().count());
			}
		}
		System.out.printf("Killed with -9 after each of %d commands of Redis: 0 acknowledged requests lost, "
				+ "0 out of order, %d handed out again%n", command - 2, again);
		assertThat(command - 2).isGreaterThan(FEWEST_COMMANDS);
	}

}
