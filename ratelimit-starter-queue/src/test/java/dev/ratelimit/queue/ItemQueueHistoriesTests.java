package dev.ratelimit.queue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.queue.redis.TimedQueues;
import dev.ratelimit.store.redis.SharedRedis;
import dev.ratelimit.test.HeapQueues;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random histories of workers that work, pause, crash and come back: Redis returns what
 * its twin in memory returns, and the promises hold.
 */
class ItemQueueHistoriesTests {

	private static final String RULE = ItemQueueContractTests.RULE;

	private static final Duration LEASE = Duration.ofSeconds(10);

	private static final Duration WAIT = Patience.LONG;

	private static final Duration KNOWN = Duration.ofHours(1);

	private static final int STEPS = 400;

	/** Exceeded at times by the number of items, at times by their bytes. */
	private static final ItemQueue.Room ROOM = new ItemQueue.Room(3, 6, 17_300);

	private final MovableClock clock = new MovableClock();

	private final ItemQueue redis = TimedQueues.on(this.clock);

	private final ItemQueue model = HeapQueues.on(this.clock);

	private final List<LeasedItem> everLeased = new ArrayList<>();

	/** Ids in the order in which they were enqueued, without those that ended. */
	private final Map<QueuedSubject, List<String>> waiting = new HashMap<>();

	/** Until when a worker surely has an item of the subject. */
	private final Map<QueuedSubject, Instant> leases = new HashMap<>();

	private int number;

	@AfterEach
	void empty() {
		SharedRedis.removeKeys();
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4, 5, 6, 7, 8 })
	@DisplayName("order per key, nothing lost, nothing handed to two at once while a lease holds, bounds")
	void redisReturnsWhatTheModelReturns(long seed) {
		Random random = new Random(seed);
		for (int step = 0; step < STEPS; step++) {
			QueuedSubject of = new QueuedSubject(RULE, "h" + random.nextInt(3));
			switch (random.nextInt(13)) {
				case 0, 1, 2 -> enqueue(of, random);
				case 3, 4, 5 -> start(of);
				case 6, 7 -> end(random);
				case 8 -> postpone(random);
				case 9 -> renew(random);
				case 10 -> this.clock.advance(Duration.ofMillis(random.nextInt(8000)));
				case 11 -> stepBack(random);
				default -> revive(random);
			}
			assertThat(this.redis.statuses(List.of(RULE), 2, WAIT)).as("seed %d step %d", seed, step)
				.isEqualTo(this.model.statuses(List.of(RULE), 2, WAIT));
			assertThat(this.redis.backlog(of, WAIT)).isEqualTo(this.model.backlog(of, WAIT));
		}
		finishAll();
	}

	private void enqueue(QueuedSubject of, Random random) {
		// Now and then an id is enqueued again.
		String id = "i" + ((random.nextInt(4) == 0 && this.number > 0) ? random.nextInt(this.number) : this.number++);
		Map<String, byte[]> fields = Map.of("body", id.getBytes(StandardCharsets.UTF_8));
		Optional<ItemState> before = this.model.state(RULE, id, WAIT).orElseThrow().stream().findFirst();
		EnqueueResult enqueued = this.redis.enqueue(of, id, fields, ROOM, WAIT);
		assertThat(enqueued).isEqualTo(this.model.enqueue(of, id, fields, ROOM, WAIT));
		if (enqueued == EnqueueResult.ENQUEUED && before.isEmpty()) {
			waiting(of).add(id);
		}
	}

	private List<String> waiting(QueuedSubject of) {
		return this.waiting.computeIfAbsent(of, (missing) -> new ArrayList<>());
	}

	private void start(QueuedSubject of) {
		String token = "t" + this.number++;
		Optional<LeasedItem> leased = this.redis.start(of, token, "worker", LEASE, WAIT).leased();
		Optional<LeasedItem> expected = this.model.start(of, token, "worker", LEASE, WAIT).leased();
		assertThat(leased.map(ItemQueueHistoriesTests::reported))
			.isEqualTo(expected.map(ItemQueueHistoriesTests::reported));
		leased.ifPresent((item) -> {
			assertThat(item.id()).as("the first of its subject").isEqualTo(waiting(of).get(0));
			assertThat(this.leases.getOrDefault(of, Instant.EPOCH)).as("no other worker has it")
				.isBeforeOrEqualTo(this.clock.instant());
			this.leases.put(of, this.clock.instant().plus(LEASE));
			this.everLeased.add(item);
		});
	}

	private static List<Object> reported(LeasedItem item) {
		return List.of(item.subject(), item.id(), item.attempt(), item.age(), item.enqueuedAt(),
				new String(item.fields().get("body"), StandardCharsets.UTF_8));
	}

	/** One of the latest leases, which may hold, have expired or have ended. */
	private Optional<LeasedItem> any(Random random) {
		return this.everLeased.isEmpty() ? Optional.empty()
				: Optional.of(this.everLeased.get(Math.max(0, this.everLeased.size() - 1 - random.nextInt(4))));
	}

	private void end(Random random) {
		any(random).ifPresent((item) -> {
			boolean first = waiting(item.subject()).contains(item.id());
			DeadLetterTerms burial = new DeadLetterTerms("tries", 2, 1015, KNOWN);
			boolean done = random.nextInt(3) > 0;
			Acknowledgement reply = done ? this.redis.done(item, KNOWN, WAIT)
					: this.redis.bury(item, KNOWN, burial, WAIT);
			assertThat(reply)
				.isEqualTo(done ? this.model.done(item, KNOWN, WAIT) : this.model.bury(item, KNOWN, burial, WAIT));
			if (reply == Acknowledgement.YES && first) {
				assertThat(waiting(item.subject()).remove(0)).isEqualTo(item.id());
				this.leases.remove(item.subject());
			}
			assertThat(this.redis.state(RULE, item.id(), WAIT)).isEqualTo(this.model.state(RULE, item.id(), WAIT));
		});
	}

	private void postpone(Random random) {
		any(random).ifPresent((item) -> {
			Duration wait = Duration.ofMillis(random.nextInt(5000));
			boolean counts = random.nextBoolean();
			Acknowledgement reply = this.redis.postpone(item, wait, counts, WAIT);
			assertThat(reply).isEqualTo(this.model.postpone(item, wait, counts, WAIT));
			if (reply == Acknowledgement.YES) {
				this.leases.put(item.subject(), this.clock.instant().plus(wait));
			}
		});
	}

	private void renew(Random random) {
		any(random).ifPresent((item) -> {
			List<Acknowledgement> replies = this.redis.renew(List.of(item), LEASE, WAIT);
			assertThat(replies).isEqualTo(this.model.renew(List.of(item), LEASE, WAIT));
			if (replies.get(0) == Acknowledgement.YES) {
				this.leases.put(item.subject(), this.clock.instant().plus(LEASE));
			}
		});
	}

	private void revive(Random random) {
		List<DeadLetter> letters = this.redis.dead(RULE, Optional.empty(), 10, WAIT).orElseThrow();
		List<DeadLetter> expected = this.model.dead(RULE, Optional.empty(), 10, WAIT).orElseThrow();
		assertThat(letters).usingRecursiveFieldByFieldElementComparatorIgnoringFields("entry").isEqualTo(expected);
		if (!letters.isEmpty() && random.nextInt(3) == 0) {
			assertThat(this.redis.revive(letters.get(0), WAIT)).isEqualTo(this.model.revive(expected.get(0), WAIT));
			waiting(letters.get(0).subject()).add(letters.get(0).id());
		}
	}

	/**
	 * Now and then Redis' clock steps back; then leases last as long as they would have.
	 */
	private void stepBack(Random random) {
		if (random.nextInt(4) == 0) {
			Duration step = Duration.ofMillis(random.nextInt(20_000));
			this.clock.advance(step.negated());
			this.leases.replaceAll((of, end) -> end.minus(step));
		}
	}

	/** Whatever has happened, all remaining items are handed out, in order. */
	private void finishAll() {
		this.clock.advance(LEASE);
		this.waiting.forEach((of, ids) -> {
			for (String id : List.copyOf(ids)) {
				LeasedItem item = this.redis.start(of, "last", "worker", LEASE, WAIT).leased().orElseThrow();
				assertThat(item.id()).isEqualTo(id);
				assertThat(this.redis.done(item, KNOWN, WAIT)).isEqualTo(Acknowledgement.YES);
			}
		});
		assertThat(this.redis.statuses(List.of(RULE), 2, WAIT).get(0).orElseThrow().queued()).isZero();
	}

}
