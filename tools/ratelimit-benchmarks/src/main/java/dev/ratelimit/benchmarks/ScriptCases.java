package dev.ratelimit.benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

import dev.ratelimit.benchmarks.ScriptCase.Call;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.redis.ShippedScripts;

/**
 * The scripts of the lab. The starter's scripts run as they are shipped, except for the
 * time: the lab passes it as an argument, although the scripts still read the time of
 * Redis. A log is therefore exactly full, and every admission drops one entry and adds
 * one.
 */
final class ScriptCases {

	private static final String CLOCK = """

			local time = redis.call('TIME')
			local unused = time[1] * 1000000 + time[2]
			local now = ARGV[#ARGV] + 0
			ARGV[#ARGV] = nil
			return decide(now)
			""";

	/**
	 * The second article's script, as it works: a sorted set per threshold, the rule as
	 * JSON, and refusals count. Unlike the published one, its windows are in
	 * milliseconds; the published script subtracts seconds from milliseconds and deletes
	 * entries that are within some of these windows.
	 */
	static final String ARTICLE = """
			local rule, admitted = cjson.decode(ARGV[1]), 1
			for _, threshold in ipairs(rule.rlThresholds) do
			    redis.call('ZREMRANGEBYSCORE', threshold.key, '-inf', threshold.lastWindowTime)
			    if redis.call('ZCARD', threshold.key) >= threshold.threshold then
			        admitted = 0
			    end
			    redis.call('ZADD', threshold.key, threshold.epoch, threshold.epoch)
			end
			return admitted
			""";

	private static final long START_MICROS = 1_795_166_400_000_000L;

	private static final long MINUTE_MICROS = 60_000_000;

	private ScriptCases() {
	}

	/** The floor, called like the log: most of its cost is the call itself. */
	static ScriptCase empty() {
		return new ScriptCase("`return 1`", "return 1", 1, 0, (number) -> new Call(List.of(key("empty")),
				arguments(limit(Algorithm.SLIDING_WINDOW_LOG, "1000/60s"), number, START_MICROS + number)));
	}

	/**
	 * Reads its own time and always writes, so its decision has little influence on its
	 * cost.
	 */
	static ScriptCase gateway() {
		return new ScriptCase("Spring Cloud Gateway's script", Peers.gatewayScript(), 1, 0, (number) -> {
			String key = "request_rate_limiter.{bench:gateway-" + number / 900 + "}.";
			return new Call(List.of(key + "tokens", key + "timestamp"), List.of("100", "1000", "", "1"));
		});
	}

	/**
	 * The article's script; every call is an admission.
	 * @param threshold the threshold of a minute; the second window has a tenth of it in
	 * a tenth of a minute
	 */
	static ScriptCase article(int threshold) {
		long step = MINUTE_MICROS / threshold / 1000;
		return new ScriptCase("the article's script, two thresholds of up to " + threshold, ARTICLE, 1, threshold,
				(number) -> {
					long now = START_MICROS / 1000 + number * step;
					String client = "article-" + threshold;
					return new Call(List.of('{' + client + '}'),
							List.of("{\"clientId\":\"%s\",\"rlThresholds\":[%s,%s]}".formatted(client,
									articleThreshold(client, threshold / 10, 6, now),
									articleThreshold(client, threshold, 60, now))));
				});
	}

	/** The JSON of a threshold as the article's application sends it. */
	static String articleThreshold(String client, long threshold, long seconds, long now) {
		return """
				{"timeWindow":%d,"threshold":%d,"key":"{%s}-%d","lastWindowTime":%d,"epoch":"%d"}""".formatted(seconds,
				threshold, client, seconds, now - 1000 * seconds, now);
	}

	/**
	 * A script of this starter.
	 * @param admits whether every call is an admission; otherwise a refusal
	 * @param threshold the threshold of a minute
	 * @param windows the number of windows; the second one has a tenth of the threshold
	 * in a tenth of the minute
	 */
	static ScriptCase ours(Algorithm algorithm, boolean admits, int threshold, int windows) {
		Limit limit = (windows == 1) ? limit(algorithm, threshold + "/60s")
				: limit(algorithm, threshold / 10 + "/6s", threshold + "/60s");
		String title = "%s, %s%s, %s".formatted(name(algorithm), (windows == 1) ? "" : "two thresholds of up to ",
				threshold, admits ? "admits" : "refuses");
		long step = admits ? MINUTE_MICROS / threshold : 0;
		return new ScriptCase(title, ShippedScripts.take(algorithm, CLOCK), 1, threshold,
				(number) -> new Call(List.of(key(title)), arguments(limit, number, START_MICROS + number * step)));
	}

	/** Admissions, one key per command, the keys in turn. */
	static ScriptCase inTurn(Algorithm algorithm, int threshold, int keys) {
		Limit limit = limit(algorithm, threshold + "/60s");
		String title = "%s, %s, %s keys in turn".formatted(name(algorithm), threshold, keys);
		long step = MINUTE_MICROS / threshold;
		return new ScriptCase(title, ShippedScripts.take(algorithm, CLOCK), 1, threshold * keys,
				(number) -> new Call(List.of(key(title + number % keys)),
						arguments(limit, number, START_MICROS + number / keys * step)));
	}

	/** Admissions, all keys in one command. */
	static ScriptCase together(Algorithm algorithm, int threshold, int keys) {
		String title = "%s, %s, %s keys in one command".formatted(name(algorithm), threshold, keys);
		return together(algorithm, threshold, title, IntStream.range(0, keys).mapToObj((i) -> key(title + i)).toList());
	}

	/** Admissions of one key, several in one command. */
	static ScriptCase hot(Algorithm algorithm, int threshold, int times) {
		String title = "%s, %s, %s times one key in one command".formatted(name(algorithm), threshold, times);
		return together(algorithm, threshold, title, Collections.nCopies(times, key(title)));
	}

	private static ScriptCase together(Algorithm algorithm, int threshold, String title, List<String> names) {
		Limit limit = limit(algorithm, threshold + "/60s");
		int keys = names.size();
		long step = MINUTE_MICROS / threshold * (keys / new HashSet<>(names).size());
		return new ScriptCase(title, ShippedScripts.take(algorithm, CLOCK), keys, threshold, (number) -> {
			List<String> arguments = new ArrayList<>();
			for (int i = 0; i < keys; i++) {
				if (i == 0) {
					List<String> texts = ShippedScripts.arguments(limit);
					arguments.addAll(List.of("", Integer.toString(texts.size())));
					arguments.addAll(texts);
				}
				arguments.addAll(List.of(permit(number * keys + i), "1"));
			}
			arguments.add(Long.toString(START_MICROS + number * step));
			return new Call(names, arguments);
		});
	}

	/**
	 * Admissions at one moment. With several windows the others have the same threshold
	 * for a longer time.
	 */
	static ScriptCase filled(Algorithm algorithm, int threshold, int windows) {
		Limit limit = limit(algorithm,
				IntStream.rangeClosed(1, windows)
					.mapToObj((window) -> threshold + "/" + window + "m")
					.toArray(String[]::new));
		String title = "filled";
		return new ScriptCase(title, ShippedScripts.take(algorithm, CLOCK), 1, threshold,
				(number) -> new Call(List.of(key(title)), arguments(limit, number, START_MICROS + number)));
	}

	static String name(Algorithm algorithm) {
		return algorithm.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	private static Limit limit(Algorithm algorithm, String... thresholds) {
		return Limit.of(RLConfig.builder("get-product").algorithm(algorithm).thresholds(thresholds).build());
	}

	/** Each case has its own key, as long as that of a client with an address. */
	private static String key(String title) {
		return "rl:shop:{get-product:i%08x}:l1".formatted(title.hashCode());
	}

	private static List<String> arguments(Limit limit, long number, long nowMicros) {
		List<String> arguments = new ArrayList<>(List.of(permit(number), "1"));
		arguments.addAll(ShippedScripts.arguments(limit));
		arguments.add(Long.toString(nowMicros));
		return arguments;
	}

	private static String permit(long number) {
		return "gkPzQr%08x".formatted(number);
	}

	/**
	 * All cases to compare. The first one is the Gateway's script and the second one the
	 * empty script; the others are compared with these.
	 * @param threshold the length of a log, at least 100; some logs have a tenth of it
	 */
	static List<ScriptCase> all(int threshold) {
		List<ScriptCase> cases = new ArrayList<>(
				List.of(gateway(), empty(), article(threshold / 10), article(threshold)));
		for (boolean admits : new boolean[] { true, false }) {
			for (Algorithm algorithm : Algorithm.values()) {
				cases.add(ours(algorithm, admits, threshold, 1));
			}
		}
		cases.add(ours(Algorithm.SLIDING_WINDOW_LOG, true, threshold / 10, 1));
		cases.add(ours(Algorithm.SLIDING_WINDOW_LOG, true, threshold / 10, 2));
		cases.add(ours(Algorithm.SLIDING_WINDOW_LOG, true, threshold, 2));
		cases.add(ours(Algorithm.TOKEN_BUCKET, true, threshold, 2));
		cases.add(ours(Algorithm.SLIDING_WINDOW_COUNTER, true, threshold, 2));
		cases.add(ours(Algorithm.FIXED_WINDOW, true, threshold, 2));
		for (Algorithm algorithm : List.of(Algorithm.SLIDING_WINDOW_LOG, Algorithm.TOKEN_BUCKET)) {
			for (int keys : new int[] { 16, 64 }) {
				cases.add(inTurn(algorithm, threshold, keys));
				cases.add(together(algorithm, threshold, keys));
			}
			cases.add(hot(algorithm, threshold, 4));
		}
		return cases;
	}

}
