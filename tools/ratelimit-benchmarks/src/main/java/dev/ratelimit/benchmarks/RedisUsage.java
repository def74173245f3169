package dev.ratelimit.benchmarks;

import java.util.function.ToDoubleFunction;

import redis.clients.jedis.Jedis;

/**
 * The usage of a Redis server since it started, as reported by Redis.
 *
 * @param commands commands, including those of scripts
 * @param bytesIn bytes received
 * @param bytesOut bytes sent
 * @param cpuMicros CPU time of all threads, in microseconds
 */
record RedisUsage(double commands, double bytesIn, double bytesOut, double cpuMicros) {

	static RedisUsage of(Jedis redis) {
		String stats = redis.info("stats");
		String cpu = redis.info("cpu");
		return new RedisUsage(number(stats, "total_commands_processed"), number(stats, "total_net_input_bytes"),
				number(stats, "total_net_output_bytes"),
				1_000_000 * (number(cpu, "used_cpu_user") + number(cpu, "used_cpu_sys")));
	}

	private static double number(String info, String name) {
		int from = info.indexOf("\n" + name + ":") + name.length() + 2;
		return Double.parseDouble(info.substring(from, info.indexOf('\r', from)));
	}

	RedisUsage plus(RedisUsage other) {
		return new RedisUsage(this.commands + other.commands, this.bytesIn + other.bytesIn,
				this.bytesOut + other.bytesOut, this.cpuMicros + other.cpuMicros);
	}

	RedisUsage since(RedisUsage before) {
		return new RedisUsage(minus(before, RedisUsage::commands), minus(before, RedisUsage::bytesIn),
				minus(before, RedisUsage::bytesOut), minus(before, RedisUsage::cpuMicros));
	}

	private double minus(RedisUsage before, ToDoubleFunction<RedisUsage> figure) {
		return figure.applyAsDouble(this) - figure.applyAsDouble(before);
	}

}
