package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

import dev.ratelimit.limiter.CompiledAllowance.CompiledLimited;
import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.rule.KeySource;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.PermitIds;
import dev.ratelimit.store.redis.resp.RedisStoreSettings;
import dev.ratelimit.store.wire.NodeCall;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.util.JedisClusterCRC16;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Equal clients have one key in Redis, different clients never share one, and no text of
 * a client moves it or makes it long: a million made-up tuples of typed values under one
 * rule of three windows. {@code -Dproof.seed} repeats a run.
 */
@Tag("proof-routes")
class KeysProof {

	private static final long SEED = Long.getLong("proof.seed", ThreadLocalRandom.current().nextLong());

	private static final int TUPLES = 1_000_000;

	private static final String PREFIX = "p".repeat(RedisStoreSettings.MAX_PREFIX_BYTES);

	private static final String RULE = "r".repeat(64);

	private static final List<String> SOURCES = List.of("ip", "principal", "session", "header:X-A", "cookie:a",
			"query:a", "path:a", "claim:a", "bean:a", "arg:a");

	/** Texts that separate, quote or frame somewhere on the way, or that look alike. */
	private static final List<String> PIECES = List.of("", "a", "b", "A", "ab", "1", "1.2.3.4", "::1", ":", ",", "|",
			"{", "}", "{}x}", "\u0000", "\r\n", " ", "?", "%7d", "\u00e9", "e\u0301", "\ud83d\ude00", "\ud800",
			"\ud801", "header:", "number:1", "x".repeat(100));

	private final SplittableRandom random = new SplittableRandom(SEED);

	private final SubjectEncoder subjects = new SubjectEncoder(64, "");

	private final List<NodeCall> calls = new ArrayList<>();

	private final RedisStore store = new RedisStore(new UnconnectedRunner(this.calls::addAll), PREFIX,
			AlgorithmScripts.load(), SharedRedis.NO_LISTENER);

	@Test
	void equalClientsHaveOneKeyAndDifferentClientsNeverShareOne() {
		List<CompiledRule> rules = rules();
		PermitIds permits = new PermitIds(new SecureRandom());
		Map<String, String> clients = new HashMap<>();
		int longest = 0;
		for (int i = 0; i < TUPLES; i++) {
			CompiledRule rule = rules.get(this.random.nextInt(rules.size()));
			List<String> values = rule.config().key().sources().stream().map(this::value).toList();
			RuleRequest ruleRequest = this.subjects.byKey(rule, values, Optional.empty(), 1);
			this.calls.clear();
			this.store
				.acquire(List.of(new AcquireRequest(((CompiledLimited) ruleRequest.allowance()).limit(),
						ruleRequest.subject(), ruleRequest.cost(), permits.next())), Duration.ZERO)
				.await();
			assertThat(this.calls).as("one call for three windows").hasSize(1);
			byte[] key = this.calls.get(0).key();
			String text = new String(key, StandardCharsets.US_ASCII);
			assertThat(JedisClusterCRC16.getSlot(key)).isEqualTo(slotOfBraces(text, ruleRequest));
			String client = client(rule.config().key().sources(), values);
			assertThat(clients.computeIfAbsent(text.substring(PREFIX.length()), (absent) -> client)).isEqualTo(client);
			longest = Math.max(longest, key.length);
		}
		assertThat(longest).isLessThanOrEqualTo(200);
		assertThat(clients.values()).doesNotHaveDuplicates();
		System.out.printf(
				"P2 identity: %,d tuples (seed %d), %,d different clients, 0 of them shared a key, 0 had two; "
						+ "longest key %d bytes, each in the slot of its rule and subject%n",
				TUPLES, SEED, clients.size(), longest);
	}

	/** All of one id, so that only the subject distinguishes their keys. */
	private static List<CompiledRule> rules() {
		List<CompiledRule> rules = new ArrayList<>();
		for (String first : SOURCES) {
			rules.add(rule(first));
			for (String second : SOURCES) {
				if (!second.equals(first)) {
					rules.add(rule(first, second));
					SOURCES.stream()
						.filter((third) -> !third.equals(first) && !third.equals(second))
						.forEach((third) -> rules.add(rule(first, second, third)));
				}
			}
		}
		return rules;
	}

	private static CompiledRule rule(String... key) {
		return CompiledRule.of(RLConfig.builder(RULE).key(key).thresholds("5/1s", "50/1m", "500/1h").build(), 64,
				false);
	}

	/** Spellings of one address are one client: another test covers them. */
	private String value(KeySource source) {
		if (source.kind() == KeySource.Kind.IP) {
			return (this.random.nextInt(4) > 0) ? "10.0.0." + this.random.nextInt(256) : "no address";
		}
		StringBuilder text = new StringBuilder();
		IntStream.range(0, this.random.nextInt(4))
			.forEach((i) -> text.append(PIECES.get(this.random.nextInt(PIECES.size()))));
		return text.toString();
	}

	private static int slotOfBraces(String key, RuleRequest ruleRequest) {
		String tag = RULE + ":" + ruleRequest.subject().text();
		assertThat(key).contains("{" + tag + "}").containsOnlyOnce("{").containsOnlyOnce("}");
		return JedisClusterCRC16.getSlot(tag);
	}

	private static String client(List<KeySource> sources, List<String> values) {
		StringBuilder client = new StringBuilder();
		for (int i = 0; i < values.size(); i++) {
			String value = values.get(i);
			client.append(sources.get(i).kind()).append(value.length()).append(':').append(value);
		}
		return client.toString();
	}

}
