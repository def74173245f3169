package dev.ratelimit.integration.keys;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.SharedCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import redis.clients.jedis.util.JedisClusterCRC16;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Names of clients that other limiters confuse, spread over slots or write to their logs:
 * each has one key in Redis for all windows, and a key of its own.
 */
@ExtendWith(SharedCluster.class)
class IdentityCorpusTests {

	private static final Pattern REPEAT = Pattern.compile("\\{repeat:(.):(\\d+)}");

	private static App app;

	@BeforeAll
	static void start() {
		app = App.start(SharedCluster.yaml() + """
				ratelimit.rules:
				  r: {key: principal, thresholds: [1/1s, 1/1m, 1/1h]}
				""");
	}

	@AfterAll
	static void stop() {
		app.close();
	}

	static Stream<Entry> entries() throws IOException {
		try (InputStream lines = IdentityCorpusTests.class.getResourceAsStream("identity-corpus.jsonl")) {
			JsonMapper mapper = JsonMapper.builder().build();
			return new String(Objects.requireNonNull(lines).readAllBytes(), StandardCharsets.UTF_8).lines()
				.map((line) -> mapper.readValue(line, Entry.class));
		}
	}

	/** Every text of the corpus once. */
	static List<String> texts() {
		try {
			return entries().flatMap((entry) -> entry.texts().stream())
				.map((text) -> REPEAT.matcher(text)
					.replaceAll((repeat) -> repeat.group(1).repeat(Integer.parseInt(repeat.group(2)))))
				.distinct()
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Test
	void eachTextHasOneKeyOfItsOwnForAllWindows() {
		RateLimiter limiter = app.bean(RateLimiter.class);
		for (String text : texts()) {
			Set<String> before = SharedCluster.keys(app.prefix());
			assertThat(limiter.tryAcquire("r", text).source()).isEqualTo(RateLimitDecision.Source.STORE);
			Set<String> after = SharedCluster.keys(app.prefix());
			after.removeAll(before);
			assertThat(after).singleElement().satisfies((key) -> {
				assertThat(key).matches(app.prefix() + ":\\{r:h[A-Za-z0-9_-]{22}}:l1").hasSizeLessThanOrEqualTo(200);
				assertThat(JedisClusterCRC16.getSlot(key))
					.isEqualTo(JedisClusterCRC16.getSlot(key.substring(key.indexOf('{') + 1, key.indexOf('}'))));
			});
			assertThat(limiter.tryAcquire("r", text).isAllowed()).isFalse();
		}
	}

	/**
	 * A group of the corpus.
	 *
	 * @param id its id in the list it comes from
	 * @param texts the names of clients, one name for each
	 * @param why what they are meant to break
	 */
	record Entry(String id, List<String> texts, String why) {
	}

}
