package dev.ratelimit.queue.redis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.queue.Acknowledgement;
import dev.ratelimit.queue.DeadLetter;
import dev.ratelimit.queue.DeadLetterTerms;
import dev.ratelimit.queue.EnqueueResult;
import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.queue.LeasedItem;
import dev.ratelimit.queue.QueuedSubject;
import dev.ratelimit.spi.Standing;
import dev.ratelimit.store.redis.CountingAndQueueing;
import dev.ratelimit.store.redis.SharedRedis;
import dev.ratelimit.store.redis.TestConnectionDetails;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.resps.AccessControlLogEntry;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rights that docs/redis.md names for a queue suffice, and each of them is needed.
 */
class QueueRightsTests {

	private static final RedisServer SERVER = RedisServer.start();

	private static final String COMMAND = "ACL SETUSER limiter ";

	private static final String ROW = "| `enqueue`";

	private final Jedis admin = SharedRedis.connect(SERVER);

	@AfterEach
	void disconnect() {
		this.admin.flushAll();
		this.admin.close();
	}

	@AfterAll
	static void stop() {
		SERVER.close();
	}

	private static String line(String start) throws IOException {
		return Files.readAllLines(Path.of("../docs/redis.md"))
			.stream()
			.filter((line) -> line.startsWith(start))
			.findFirst()
			.orElseThrow();
	}

	static List<String> rights() throws IOException {
		return List.of(line(ROW).split("(?<!\\\\)\\|", -1)[2].strip().replace("`", "").replace("\\|", "|").split(" "));
	}

	/** What Redis did not allow while all of a queue is used. */
	private List<String> denied(Optional<String> missing) throws IOException {
		List<String> rights = new ArrayList<>();
		Arrays.stream(line(COMMAND).substring(COMMAND.length()).split(" "))
			.map((right) -> right.startsWith("~") ? "~" + SharedRedis.PREFIX + ":*" : right)
			.forEach(rights::add);
		rights.addAll(rights());
		missing.ifPresent(rights::remove);
		this.admin.aclDelUser("limiter");
		this.admin.aclSetUser("limiter", rights.toArray(String[]::new));
		this.admin.aclLogReset();
		this.admin.scriptFlush();
		try (CountingAndQueueing redis = CountingAndQueueing.connect(
				TestConnectionDetails.standalone(SERVER.address()).as("limiter", "secret"), SharedRedis.settings(2))) {
			boolean worked = useQueue(redis.queue(), this.admin);
			List<String> denied = this.admin.aclLog()
				.stream()
				.filter((entry) -> entry.getUsername().equals("limiter"))
				.map(AccessControlLogEntry::getObject)
				.toList();
			assertThat(worked || !denied.isEmpty()).as("works, or is denied something").isTrue();
			return denied;
		}
	}

	@Test
	void theRightsSuffice() throws IOException {
		assertThat(denied(Optional.empty())).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("rights")
	void eachRightIsNeeded(String right) throws IOException {
		assertThat(denied(Optional.of(right))).isNotEmpty();
	}

	private static boolean useQueue(ItemQueue queue, Jedis admin) {
		QueuedSubject ann = new QueuedSubject("orders", "hann");
		ItemQueue.Room room = new ItemQueue.Room(9, 9, 1 << 20);
		List<Boolean> steps = new ArrayList<>();
		for (String id : List.of("a1", "a2", "a3")) {
			steps.add(queue.enqueue(ann, id, Map.of("body", new byte[100]), room,
					Patience.LONG) == EnqueueResult.ENQUEUED);
		}
		steps.add(queue.backlog(ann, Patience.LONG) != Standing.NO_REPLY);
		steps.add(queue.statuses(List.of("orders"), 9, Patience.LONG).get(0).isPresent());
		steps.add(queue.state("orders", "a1", Patience.LONG).isPresent());
		Optional<LeasedItem> first = start(queue, ann);
		steps.add(first.isPresent());
		first.ifPresent((item) -> {
			steps.add(isYes(queue.renew(List.of(item), Duration.ofSeconds(30), Patience.LONG).get(0)));
			steps.add(isYes(queue.postpone(item, Duration.ZERO, true, Patience.LONG)));
		});
		start(queue, ann).ifPresent((item) -> steps.add(isYes(queue.done(item, Duration.ofHours(1), Patience.LONG))));
		steps.add(queue.state("orders", "a1", Patience.LONG).isPresent());
		DeadLetterTerms burial = new DeadLetterTerms("age", 3, 1 << 20, Duration.ofHours(1));
		start(queue, ann)
			.ifPresent((item) -> steps.add(isYes(queue.bury(item, Duration.ofHours(1), burial, Patience.LONG))));
		Optional<List<DeadLetter>> dead = queue.dead("orders", Optional.empty(), 9, Patience.LONG);
		steps.add(dead.isPresent());
		dead.stream().flatMap(List::stream).forEach((letter) -> steps.add(isYes(queue.revive(letter, Patience.LONG))));
		admin.del(SharedRedis.PREFIX + ":{orders}:q1:of:hann"); // an operator may do so
		steps.add(queue.start(ann, "t", "worker", Duration.ZERO, Patience.LONG) instanceof ItemQueue.Nothing);
		return !steps.contains(false);
	}

	private static Optional<LeasedItem> start(ItemQueue queue, QueuedSubject of) {
		return queue.start(of, "t", "worker", Duration.ZERO, Patience.LONG).leased();
	}

	private static boolean isYes(Acknowledgement acknowledged) {
		return acknowledged == Acknowledgement.YES;
	}

}
