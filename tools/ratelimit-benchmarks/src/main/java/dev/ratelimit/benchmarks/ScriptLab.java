package dev.ratelimit.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;

/**
 * Measures how long scripts take inside Redis, as reported by Redis. It uses one
 * connection and pipelines, and runs all scripts in turn, round after round. A temporary
 * disturbance of the machine affects all of them, so their ratios stay the same.
 */
final class ScriptLab implements AutoCloseable {

	private static final Pattern MICROS = Pattern.compile("cmdstat_evalsha:calls=\\d+,usec=(\\d+)");

	private static final int PIPELINE = 50;

	private final Jedis redis;

	private final int rounds;

	private final int calls;

	private final Progress progress;

	ScriptLab(Redis redis, int rounds, int calls, Progress progress) {
		this.redis = redis.connect();
		this.rounds = rounds;
		this.calls = calls;
		this.progress = progress;
	}

	/**
	 * Measure scripts.
	 * @param cases the scripts
	 * @return their samples, one per round
	 */
	Map<ScriptCase, List<ScriptSample>> run(List<ScriptCase> cases) {
		this.redis.flushAll();
		Map<ScriptCase, List<ScriptSample>> samples = new LinkedHashMap<>();
		List<Running> running = cases.stream().map(Running::new).toList();
		for (Running one : running) {
			one.call(one.script.preparation());
			samples.put(one.script, new ArrayList<>());
		}
		for (int round = 1; round <= this.rounds; round++) {
			for (Running one : running) {
				samples.getOrDefault(one.script, new ArrayList<>()).add(one.measure());
			}
			this.progress.report("scripts, round %d of %d", round, this.rounds);
		}
		return samples;
	}

	@Override
	public void close() {
		this.redis.close();
	}

	/** A script and its number of calls. */
	private final class Running {

		private final ScriptCase script;

		private final String sha;

		private long called;

		Running(ScriptCase script) {
			this.script = script;
			this.sha = ScriptLab.this.redis.scriptLoad(script.text());
		}

		ScriptSample measure() {
			call(PIPELINE);
			ScriptLab.this.redis.configResetStat();
			RedisUsage before = RedisUsage.of(ScriptLab.this.redis);
			int calls = Math.max(1, ScriptLab.this.calls / this.script.decisions());
			call(calls);
			RedisUsage used = RedisUsage.of(ScriptLab.this.redis).since(before);
			Matcher micros = MICROS.matcher(ScriptLab.this.redis.info("commandstats"));
			if (!micros.find()) {
				throw new IllegalStateException("Redis reports no figures for EVALSHA");
			}
			double decisions = (double) calls * this.script.decisions();
			return new ScriptSample(Long.parseLong(micros.group(1)) / decisions, used.cpuMicros() / decisions);
		}

		private void call(int calls) {
			for (int sent = 0; sent < calls; sent += PIPELINE) {
				Pipeline pipeline = ScriptLab.this.redis.pipelined();
				for (int i = sent; i < Math.min(calls, sent + PIPELINE); i++) {
					ScriptCase.Call call = this.script.call().apply(this.called++);
					pipeline.evalsha(this.sha, call.keys(), call.arguments());
				}
				pipeline.syncAndReturnAll().forEach(Running::failOnError);
			}
		}

		private static void failOnError(Object reply) {
			if (reply instanceof RuntimeException error) {
				throw error;
			}
		}

	}

}
