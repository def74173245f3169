package dev.ratelimit.benchmarks;

import java.time.Duration;
import java.util.Locale;

import dev.ratelimit.store.InstanceRegistry;
import dev.ratelimit.store.RateLimitStore;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * What the beats of many instances cost Redis, and those of instances that join.
 */
final class ManyInstances {

	private static final int[] COUNTS = { 1, 10, 100, 1000 };

	private static final int BEATS = 20_000;

	private static final int JOINS = 1000;

	private static final Duration FORGET_AFTER = Duration.ofSeconds(60);

	private ManyInstances() {
	}

	static String table(Redis redis) {
		StringBuilder table = new StringBuilder(
				"### Instances%n%n| live instances | Redis CPU us per beat | of one that left and joins |%n|---:|---:|---:|%n"
					.formatted());
		try (RedisAdmin admin = redis.admin();
				ConfigurableApplicationContext context = Ours.start("fixed-window", "100/1s",
						redis.properties().toArray(String[]::new))) {
			InstanceRegistry instances = context.getBean(RateLimitStore.class).capabilities().instances().orElseThrow();
			for (int count : COUNTS) {
				admin.flush();
				cpuMicros(admin, () -> beat(instances, count, count));
				table.append(String.format(Locale.ROOT, "| %,d | %.1f | %.1f |%n", count,
						cpuMicros(admin, () -> beat(instances, count, BEATS)) / BEATS,
						cpuMicros(admin, () -> join(instances, count)) / JOINS));
			}
		}
		return table.append('\n').toString();
	}

	private static double cpuMicros(RedisAdmin admin, Runnable calls) {
		RedisUsage before = admin.usage();
		calls.run();
		return admin.usage().since(before).cpuMicros();
	}

	private static void beat(InstanceRegistry instances, int count, int beats) {
		for (int i = 0; i < beats; i++) {
			beat(instances, name(i % count));
		}
	}

	private static void join(InstanceRegistry instances, int count) {
		for (int i = 0; i < JOINS; i++) {
			instances.leave(name(i % count));
			beat(instances, name(i % count));
		}
	}

	private static void beat(InstanceRegistry instances, String name) {
		if (instances.beat(name, FORGET_AFTER).isEmpty()) {
			throw new IllegalStateException("Redis did not reply");
		}
	}

	private static String name(int number) {
		return String.format(Locale.ROOT, "%016x", number * 0x9E3779B97F4A7C15L);
	}

}
