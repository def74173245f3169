package dev.ratelimit.integration.operations;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.CapturedLog;
import dev.ratelimit.integration.support.Pipeline;
import dev.ratelimit.integration.support.RequestTargets;
import dev.ratelimit.support.LogFields;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Nothing fills the log: not clients, not a store that is away, not beans that break
 * their promises.
 */
@Tag("proof-slow")
class LogVolumeProof {

	private static final int REQUESTS = 10_000;

	/** A line that names a rule. */
	private static final Pattern RULE = Pattern.compile("[Rr]ule '");

	private static final List<String> TARGETS = List.of("/product/%d?k=%d", "/v1/product?n=%d%d", "/v2/product?n=%d%d",
			"/call?k=%d-%d");

	@Test
	void tenThousandHostileRequestsLeaveALinePerCauseAndMinute() throws IOException {
		try (RedisServer redis = RedisServer.start();
				App app = App.start("spring.data.redis.port: " + redis.port() + "\n"
						+ NothingLeaksTests.RULES.formatted("5/1m") + "server.tomcat.max-keep-alive-requests: -1\n",
						NothingLeaksTests.HostileBeans.class);
				CapturedLog log = new CapturedLog(Level.INFO)) {
			long start = System.nanoTime();
			send(app, 0, REQUESTS / 2);
			redis.kill();
			send(app, REQUESTS / 2, REQUESTS);
			// Outages are logged in the background, about once a second.
			Awaitility.await()
				.atMost(Patience.LONG)
				.until(() -> log.events()
					.stream()
					.map(LogVolumeProof::cause)
					.anyMatch((cause) -> cause.contains("does not answer")));
			long minutes = 1 + Duration.ofNanos(System.nanoTime() - start).toMinutes();
			Map<String, Long> lines = log.events()
				.stream()
				.collect(Collectors.groupingBy(LogVolumeProof::cause, Collectors.counting()));
			assertThat(lines.keySet()).anyMatch((cause) -> cause.contains("'belowOne'"))
				.anyMatch((cause) -> cause.contains("'if-matched'"));
			assertThat(lines).allSatisfy((cause, count) -> assertThat(count).as(cause).isLessThanOrEqualTo(minutes));
			assertThat(lines).hasSizeLessThanOrEqualTo(8);
			assertThat(log.events()).filteredOn((event) -> RULE.matcher(event.getMessage()).find())
				.isNotEmpty()
				.allSatisfy((event) -> assertThat(event.getKeyValuePairs()).extracting((pair) -> pair.key)
					.contains(LogFields.RULE));
		}
	}

	private static void send(App app, int from, int to) throws IOException {
		TreeSet<Integer> statuses = new TreeSet<>();
		for (int batch = from; batch < to; batch += 500) {
			List<RequestTargets.Request> requests = new ArrayList<>();
			for (int i = batch; i < batch + 500; i++) {
				requests.add(request(i));
			}
			for (Optional<Pipeline.Reply> reply : new Pipeline(app.port()).send(requests)) {
				statuses.add(reply.orElseThrow().status());
			}
		}
		assertThat(statuses).contains(200, 403, 429).isSubsetOf(200, 403, 429, 503);
	}

	private static RequestTargets.Request request(int number) {
		String target = TARGETS.get(number % TARGETS.size()).formatted(number, number);
		String key = (number % 3 == 0) ? "" : "X-Key: ${jndi:ldap://x}" + "a".repeat(number % 40) + "\r\n";
		return new RequestTargets.Request(
				"GET " + target + " HTTP/1.1\r\nHost: localhost\r\n" + key
						+ "Cookie: k={}%n\r\nX-Forwarded-For: #{garbage} " + number + "\r\nX-Plan: {{7*7}}\r\n\r\n",
				false);
	}

	/** The line without its numbers. */
	private static String cause(ILoggingEvent event) {
		return event.getLevel() + " " + event.getFormattedMessage().replaceAll("[0-9]+", "0");
	}

}
