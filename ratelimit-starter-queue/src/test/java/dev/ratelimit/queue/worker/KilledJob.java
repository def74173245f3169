package dev.ratelimit.queue.worker;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.Patience;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A {@link QueueJob} in a process that is killed with -9 at its k-th Redis command, and
 * another process that finishes it.
 *
 * @param killed whether the process reached that command
 * @param lines what both reported, in order
 */
record KilledJob(boolean killed, List<String> lines) {

	static KilledJob run(RedisServer redis, int command) throws IOException, InterruptedException {
		try (Jedis jedis = new Jedis(redis.host(), redis.port())) {
			jedis.flushAll();
			jedis.scriptFlush();
		}
		boolean killed;
		List<String> lines = new ArrayList<>();
		try (KillingProxy proxy = new KillingProxy(redis.port(), command)) {
			Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
					"-XX:TieredStopAtLevel=1", "-Xshare:auto", "-cp", System.getProperty("java.class.path"),
					QueueJob.class.getName(), proxy.address())
				.redirectError(ProcessBuilder.Redirect.DISCARD)
				.start();
			killed = killWithLast(process, proxy);
			new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines()
				.filter((line) -> line.matches("(ENQUEUED|handled) .."))
				.forEach(lines::add);
		}
		QueueJob.finish(redis.address(), lines::add);
		return new KilledJob(killed, lines);
	}

	private static boolean killWithLast(Process process, KillingProxy proxy) throws InterruptedException {
		while (process.isAlive()) {
			if (proxy.lastWasDone().await(10, TimeUnit.MILLISECONDS)) {
				process.toHandle().destroyForcibly();
				assertThat(process.waitFor(Patience.LONG.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
				return true;
			}
		}
		return false;
	}

	/** Nothing lost, at least once, and exactly the order of each key. */
	void assertPromises() {
		for (String id : QueueJob.IDS) {
			if (this.lines.contains("ENQUEUED " + id)) {
				assertThat(this.lines).contains("handled " + id);
			}
		}
		for (String key : List.of("a", "b")) {
			assertThat(this.lines.stream().filter((line) -> line.startsWith("handled " + key)).toList())
				.as("no item comes again after a later one")
				.isSorted();
		}
	}

}
