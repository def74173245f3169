package dev.ratelimit.datacenters;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.redis.SharedRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.resps.AccessControlLogEntry;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rights that docs/datacentres.md names suffice for another data centre, and each of
 * them is needed.
 */
class PeerRightsTests {

	private static final String COMMAND = "ACL SETUSER limiter ";

	private static final Limit HUNDRED = DataCentersApart.everywhere("hundred", "100/1d");

	static List<String> rights() throws IOException {
		String command = Files.readAllLines(Path.of("../docs/datacentres.md"))
			.stream()
			.filter((line) -> line.startsWith(COMMAND))
			.findFirst()
			.orElseThrow();
		return Arrays.stream(command.substring(COMMAND.length()).split(" "))
			.map((right) -> right.startsWith("~") ? "~" + SharedRedis.PREFIX + ":*" : right)
			.toList();
	}

	static Stream<String> neededRights() throws IOException {
		return rights().stream().filter((right) -> !right.equals("on") && !right.startsWith(">"));
	}

	/** What a Redis did not allow while another data centre exchanges and resets. */
	private static List<String> denied(Optional<String> missing) throws IOException {
		List<String> rights = new ArrayList<>(rights());
		missing.ifPresent(rights::remove);
		try (DataCentersApart all = new DataCentersApart("a", "b").as("limiter");
				Jedis a = SharedRedis.connect(all.server("a"));
				Jedis b = SharedRedis.connect(all.server("b"))) {
			for (Jedis redis : List.of(a, b)) {
				redis.aclSetUser("limiter", rights.toArray(String[]::new));
			}
			all.open(HUNDRED);
			assertThat(all.admitted("a", HUNDRED, "u1", 6)).isEqualTo(6);
			Awaitility.await()
				.atMost(Duration.ofSeconds(10))
				.until(() -> !denied(b).isEmpty()
						|| (all.pools("a").peers().get(0).unacknowledged() == 0 && b.keys("*u1*").size() == 1));
			boolean isReset = all.store("a")
				.capabilities()
				.inspector()
				.orElseThrow()
				.reset(HUNDRED, new Subject("u1"), Duration.ofSeconds(1))
				.isEmpty();
			assertThat(isReset || !denied(b).isEmpty()).as("works, or is denied something").isTrue();
			return denied(b);
		}
	}

	private static List<String> denied(Jedis redis) {
		return redis.aclLog().stream().map(AccessControlLogEntry::getObject).toList();
	}

	@Test
	void theRightsSuffice() throws IOException {
		assertThat(denied(Optional.empty())).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("neededRights")
	void eachRightIsNeeded(String right) throws IOException {
		assertThat(denied(Optional.of(right))).isNotEmpty();
	}

}
