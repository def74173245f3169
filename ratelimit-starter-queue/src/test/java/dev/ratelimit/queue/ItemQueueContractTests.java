package dev.ratelimit.queue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.queue.ItemState.Progress;
import dev.ratelimit.spi.Standing;
import dev.ratelimit.store.redis.SharedRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The contract of every queue of items.
 */
@ParameterizedClass
@EnumSource
class ItemQueueContractTests {

	static final String RULE = "orders";

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final Duration KNOWN = Duration.ofHours(1);

	private static final DeadLetterTerms BURIAL = new DeadLetterTerms("tries", 3, 1 << 20, Duration.ofDays(1));

	private static final ItemQueue.Room ROOM = new ItemQueue.Room(3, 5, 1 << 20);

	private static final Duration WAIT = Patience.LONG;

	private final MovableClock clock = new MovableClock();

	private final QueuedSubject ann = new QueuedSubject(RULE, "hann");

	private final QueuedSubject bob = new QueuedSubject(RULE, "hbob");

	private final AtomicInteger tokens = new AtomicInteger();

	private final ItemQueue queue;

	ItemQueueContractTests(TestedQueue tested) {
		this.queue = tested.open(this.clock);
	}

	@AfterEach
	void empty() {
		SharedRedis.removeKeys();
	}

	private EnqueueResult enqueue(QueuedSubject of, String id) {
		return this.queue.enqueue(of, id, Map.of("body", id.getBytes(StandardCharsets.UTF_8)), ROOM, WAIT);
	}

	private Optional<LeasedItem> start(QueuedSubject of) {
		return this.queue.start(of, "t" + this.tokens.incrementAndGet(), "worker", LEASE, WAIT).leased();
	}

	private QueueStatus status() {
		return this.queue.statuses(List.of(RULE), 10, WAIT).get(0).orElseThrow();
	}

	private ItemState state(String id) {
		return this.queue.state(RULE, id, WAIT).orElseThrow().get(0);
	}

	private Acknowledgement done(LeasedItem item) {
		return this.queue.done(item, KNOWN, WAIT);
	}

	@Test
	@DisplayName("a clock that steps back delays nothing")
	void aClockThatStepsBackHoldsNothingBack() {
		enqueue(this.ann, "a1");
		enqueue(this.bob, "b1");
		assertThat(start(this.bob)).isPresent();
		this.clock.advance(Duration.ofHours(-1));
		assertThat(status().due()).containsExactly("hann");
		assertThat(start(this.ann)).isPresent();
		assertThat(start(this.bob)).as("its lease lasts").isEmpty();
		assertThat(status().untilNext()).contains(LEASE);
		this.clock.advance(LEASE);
		assertThat(start(this.bob)).as("its lease has expired").isPresent();
	}

	@Test
	void anItemIsHandedOutAsItWasEnqueued() {
		Map<String, byte[]> fields = new LinkedHashMap<>();
		fields.put("body", new byte[] { 0, (byte) 0xff, '\r', '\n' });
		fields.put("path", "/\u00e9".getBytes(StandardCharsets.UTF_8));
		fields.put("empty", new byte[0]);
		assertThat(this.queue.enqueue(this.ann, "a1", fields, ROOM, WAIT)).isEqualTo(EnqueueResult.ENQUEUED);
		this.clock.advance(Duration.ofSeconds(2));
		LeasedItem item = start(this.ann).orElseThrow();
		assertThat(item.fields()).containsOnlyKeys("body", "path", "empty")
			.allSatisfy((name, value) -> assertThat(value).isEqualTo(fields.get(name)));
		assertThat(item.id()).isEqualTo("a1");
		assertThat(item.attempt()).isEqualTo(1);
		assertThat(item.age()).isEqualTo(Duration.ofSeconds(2));
		assertThat(item.enqueuedAt()).isEqualTo(this.clock.instant().minusSeconds(2));
	}

	@Test
	@DisplayName("exactly the order per key: the second item is not handed out before the first has ended")
	void itemsOfASubjectAreHandedOutOneAfterTheOther() {
		enqueue(this.ann, "a1");
		enqueue(this.ann, "a2");
		LeasedItem first = start(this.ann).orElseThrow();
		assertThat(start(this.ann)).isEmpty();
		assertThat(done(first)).isEqualTo(Acknowledgement.YES);
		assertThat(start(this.ann)).hasValueSatisfying((second) -> assertThat(second.id()).isEqualTo("a2"));
	}

	@Test
	void anItemHoldsBackItsOwnSubjectOnly() {
		enqueue(this.ann, "a1");
		enqueue(this.ann, "a2");
		enqueue(this.bob, "b1");
		LeasedItem failing = start(this.ann).orElseThrow();
		this.queue.postpone(failing, Duration.ofMinutes(1), true, WAIT);
		assertThat(status().due()).containsExactly("hbob");
		assertThat(start(this.bob)).isPresent();
		assertThat(start(this.ann)).isEmpty();
		this.clock.advance(Duration.ofMinutes(1));
		assertThat(start(this.ann)).hasValueSatisfying((again) -> {
			assertThat(again.id()).isEqualTo("a1");
			assertThat(again.attempt()).isEqualTo(2);
		});
	}

	@Test
	void aPostponementThatDoesNotCountIsNoAttempt() {
		enqueue(this.ann, "a1");
		this.queue.postpone(start(this.ann).orElseThrow(), Duration.ZERO, false, WAIT);
		assertThat(start(this.ann).orElseThrow().attempt()).isEqualTo(1);
	}

	@Test
	@DisplayName("a worker that crashes loses its lease: the item is handed out again, and nothing behind it before")
	void anItemIsHandedOutAgainWhenTheLeaseIsOver() {
		enqueue(this.ann, "a1");
		enqueue(this.ann, "a2");
		LeasedItem lost = start(this.ann).orElseThrow();
		this.clock.advance(LEASE.minusMillis(1));
		assertThat(start(this.ann)).isEmpty();
		this.clock.advance(Duration.ofMillis(1));
		LeasedItem again = start(this.ann).orElseThrow();
		assertThat(again.id()).isEqualTo("a1");
		assertThat(again.attempt()).isEqualTo(2);
		assertThat(done(lost)).as("of the worker that paused").isEqualTo(Acknowledgement.NOT_YOURS);
		assertThat(this.queue.postpone(lost, Duration.ZERO, true, WAIT)).isEqualTo(Acknowledgement.NOT_YOURS);
		assertThat(this.queue.renew(List.of(lost, again), LEASE, WAIT)).containsExactly(Acknowledgement.NOT_YOURS,
				Acknowledgement.YES);
		assertThat(this.queue.bury(lost, KNOWN, BURIAL, WAIT)).isEqualTo(Acknowledgement.NOT_YOURS);
		assertThat(start(this.ann)).isEmpty();
		assertThat(done(again)).isEqualTo(Acknowledgement.YES);
	}

	@Test
	void aLeaseCanBeProlonged() {
		enqueue(this.ann, "a1");
		LeasedItem item = start(this.ann).orElseThrow();
		this.clock.advance(LEASE.minusMillis(1));
		assertThat(this.queue.renew(List.of(item), LEASE, WAIT)).containsExactly(Acknowledgement.YES);
		this.clock.advance(LEASE.minusMillis(1));
		assertThat(start(this.ann)).isEmpty();
		this.clock.advance(Duration.ofMillis(1));
		assertThat(start(this.ann)).isPresent();
	}

	@Test
	@DisplayName("an id for idempotency: a repeated call changes nothing")
	void repeatedCallsChangeNothing() {
		assertThat(enqueue(this.ann, "a1")).isEqualTo(EnqueueResult.ENQUEUED);
		assertThat(enqueue(this.ann, "a1")).isEqualTo(EnqueueResult.ENQUEUED);
		assertThat(status().queued()).isEqualTo(1);
		LeasedItem item = start(this.ann).orElseThrow();
		assertThat(done(item)).isEqualTo(Acknowledgement.YES);
		assertThat(done(item)).isEqualTo(Acknowledgement.YES);
		assertThat(enqueue(this.ann, "a1")).as("already handled").isEqualTo(EnqueueResult.ENQUEUED);
		assertThat(status().queued()).isZero();
		assertThat(start(this.ann)).isEmpty();
	}

	@Test
	@DisplayName("bounded per key and in all")
	void aFullQueueTakesNoItems() {
		for (String id : List.of("a1", "a2", "a3")) {
			assertThat(enqueue(this.ann, id)).isEqualTo(EnqueueResult.ENQUEUED);
		}
		assertThat(enqueue(this.ann, "a4")).isEqualTo(EnqueueResult.SUBJECT_FULL);
		assertThat(enqueue(this.ann, "a1")).as("already enqueued").isEqualTo(EnqueueResult.ENQUEUED);
		enqueue(this.bob, "b1");
		enqueue(this.bob, "b2");
		assertThat(enqueue(this.bob, "b3")).isEqualTo(EnqueueResult.RULE_FULL);
		assertThat(status().queued()).isEqualTo(5);
		done(start(this.ann).orElseThrow());
		assertThat(enqueue(this.bob, "b3")).isEqualTo(EnqueueResult.ENQUEUED);
	}

	private EnqueueResult enqueue(QueuedSubject of, String id, int bodyBytes, long bytesOfRule) {
		return this.queue.enqueue(of, id, Map.of("body", new byte[bodyBytes]),
				new ItemQueue.Room(100, 100, bytesOfRule), WAIT);
	}

	@Test
	@DisplayName("bounded by the bytes that the store needs for them; an item that ends releases its bytes")
	void aQueueFullOfBytesTakesNoItems() {
		long bytes = 2 * ItemQueue.Room.SUBJECT_BYTES + 3 * (ItemQueue.Room.ITEM_BYTES + 4 + 100);
		assertThat(enqueue(this.ann, "a1", 100, bytes)).isEqualTo(EnqueueResult.ENQUEUED);
		assertThat(enqueue(this.ann, "a2", 100, bytes)).isEqualTo(EnqueueResult.ENQUEUED);
		assertThat(enqueue(this.bob, "b1", 101, bytes)).as("a byte too many").isEqualTo(EnqueueResult.RULE_FULL);
		assertThat(enqueue(this.bob, "b1", 100, bytes)).isEqualTo(EnqueueResult.ENQUEUED);
		assertThat(enqueue(this.ann, "a3", 0, bytes)).isEqualTo(EnqueueResult.RULE_FULL);
		assertThat(enqueue(this.ann, "a2", 100, bytes)).as("already enqueued").isEqualTo(EnqueueResult.ENQUEUED);
		done(start(this.ann).orElseThrow());
		assertThat(enqueue(this.ann, "a3", 101, bytes)).isEqualTo(EnqueueResult.RULE_FULL);
		assertThat(enqueue(this.ann, "a3", 100, bytes)).isEqualTo(EnqueueResult.ENQUEUED);
		this.queue.bury(start(this.bob).orElseThrow(), KNOWN, BURIAL, WAIT);
		assertThat(enqueue(this.ann, "a4", 100 + ItemQueue.Room.SUBJECT_BYTES, bytes))
			.isEqualTo(EnqueueResult.ENQUEUED);
		assertThat(enqueue(this.ann, "a5", 0, bytes)).isEqualTo(EnqueueResult.RULE_FULL);
	}

	@Test
	@DisplayName("a revived item takes room again")
	void aRevivedItemTakesRoomAgain() {
		long bytes = ItemQueue.Room.SUBJECT_BYTES + 2 * (ItemQueue.Room.ITEM_BYTES + 4 + 100);
		enqueue(this.ann, "a1", 100, bytes);
		this.queue.bury(start(this.ann).orElseThrow(), KNOWN, BURIAL, WAIT);
		this.queue.revive(this.queue.dead(RULE, Optional.empty(), 1, WAIT).orElseThrow().get(0), WAIT);
		assertThat(enqueue(this.ann, "a2", 101, bytes)).isEqualTo(EnqueueResult.RULE_FULL);
		assertThat(enqueue(this.ann, "a2", 100, bytes)).isEqualTo(EnqueueResult.ENQUEUED);
	}

	@Test
	@DisplayName("dead letters are bounded by their bytes: the oldest make way, and the newest always stays")
	void deadLettersAreBoundedByTheirBytes() {
		DeadLetterTerms burial = new DeadLetterTerms("tries", 10, 2 * (ItemQueue.Room.ITEM_BYTES + 4 + 100),
				Duration.ofDays(1));
		int[] bodies = { 100, 100, 100, 5000, 100 };
		List<List<String>> enqueued = List.of(List.of("a0"), List.of("a0", "a1"), List.of("a1", "a2"), List.of("a3"),
				List.of("a4"));
		for (int i = 0; i < bodies.length; i++) {
			enqueue(this.ann, "a" + i, bodies[i], 1 << 20);
			this.queue.bury(start(this.ann).orElseThrow(), KNOWN, burial, WAIT);
			assertThat(this.queue.dead(RULE, Optional.empty(), 10, WAIT).orElseThrow()).extracting(DeadLetter::id)
				.isEqualTo(enqueued.get(i));
		}
	}

	@Test
	void theStateOfAnItemCanBeQueried() {
		assertThat(this.queue.state(RULE, "a1", WAIT)).contains(List.of());
		enqueue(this.ann, "a1");
		assertThat(state("a1")).isEqualTo(new ItemState(Progress.QUEUED, 0));
		LeasedItem item = start(this.ann).orElseThrow();
		assertThat(state("a1")).isEqualTo(new ItemState(Progress.RUNNING, 1));
		this.queue.postpone(item, Duration.ZERO, true, WAIT);
		assertThat(state("a1")).isEqualTo(new ItemState(Progress.QUEUED, 1));
		done(start(this.ann).orElseThrow());
		assertThat(state("a1")).isEqualTo(new ItemState(Progress.DONE, 2));
	}

	@Test
	void aDeadLetterMakesWayAndIsStored() {
		enqueue(this.ann, "a1");
		enqueue(this.ann, "a2");
		assertThat(this.queue.bury(start(this.ann).orElseThrow(), KNOWN, BURIAL, WAIT)).isEqualTo(Acknowledgement.YES);
		assertThat(state("a1")).isEqualTo(new ItemState(Progress.DEAD, 1));
		assertThat(status().dead()).isEqualTo(1);
		assertThat(this.queue.dead(RULE, Optional.empty(), 10, WAIT))
			.hasValueSatisfying((letters) -> assertThat(letters).singleElement().satisfies((letter) -> {
				assertThat(letter.subject()).isEqualTo(this.ann);
				assertThat(letter.id()).isEqualTo("a1");
				assertThat(letter.reason()).isEqualTo("tries");
				assertThat(letter.attempts()).isEqualTo(1);
				assertThat(letter.enqueuedAt()).isEqualTo(this.clock.instant());
			}));
		assertThat(start(this.ann).orElseThrow().id()).isEqualTo("a2");
	}

	@Test
	void aDeadLetterCanBeRevivedOnce() {
		enqueue(this.ann, "a1");
		this.queue.bury(start(this.ann).orElseThrow(), KNOWN, BURIAL, WAIT);
		enqueue(this.ann, "a2");
		DeadLetter letter = this.queue.dead(RULE, Optional.empty(), 10, WAIT).orElseThrow().get(0);
		this.clock.advance(Duration.ofDays(2));
		assertThat(this.queue.revive(letter, WAIT)).isEqualTo(Acknowledgement.YES);
		assertThat(this.queue.revive(letter, WAIT)).isEqualTo(Acknowledgement.NOT_YOURS);
		assertThat(status().dead()).isZero();
		assertThat(state("a1")).isEqualTo(new ItemState(Progress.QUEUED, 0));
		done(start(this.ann).orElseThrow());
		assertThat(start(this.ann)).hasValueSatisfying((again) -> {
			assertThat(again.id()).isEqualTo("a1");
			assertThat(again.age()).isZero();
			assertThat(again.fields().get("body")).asString(StandardCharsets.UTF_8).isEqualTo("a1");
		});
	}

	@Test
	@DisplayName("dead letters are bounded, and read page by page, each of them once")
	void deadLettersAreBoundedAndReadInPages() {
		for (int i = 1; i <= 4; i++) {
			enqueue(this.ann, "a" + i);
			this.queue.bury(start(this.ann).orElseThrow(), KNOWN, BURIAL, WAIT);
		}
		List<DeadLetter> first = this.queue.dead(RULE, Optional.empty(), 2, WAIT).orElseThrow();
		assertThat(first).extracting(DeadLetter::id).containsExactly("a2", "a3");
		Optional<String> last = Optional.of(first.get(1).entry());
		this.queue.revive(first.get(1), WAIT);
		assertThat(this.queue.dead(RULE, last, 2, WAIT).orElseThrow()).extracting(DeadLetter::id).containsExactly("a4");
	}

	@Test
	void theStatusShowsDueSubjectsAndTheTimeOfTheNext() {
		assertThat(status()).isEqualTo(new QueueStatus(List.of(), Optional.empty(), 0, 0, Duration.ZERO));
		enqueue(this.ann, "a1");
		this.clock.advance(Duration.ofSeconds(1));
		enqueue(this.bob, "b1");
		assertThat(status())
			.isEqualTo(new QueueStatus(List.of("hann", "hbob"), Optional.empty(), 2, 0, Duration.ofSeconds(1)));
		assertThat(this.queue.statuses(List.of(RULE), 1, WAIT).get(0).orElseThrow())
			.isEqualTo(new QueueStatus(List.of("hann"), Optional.of(Duration.ZERO), 2, 0, Duration.ofSeconds(1)));
		start(this.ann);
		start(this.bob);
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(status())
			.isEqualTo(new QueueStatus(List.of(), Optional.of(LEASE.minusSeconds(1)), 2, 0, Duration.ofSeconds(2)));
	}

	@Test
	@DisplayName("no overtaking: a subject has items until the last of them has ended")
	void aBacklogIsKnown() {
		assertThat(this.queue.backlog(this.ann, WAIT)).isEqualTo(Standing.FREE);
		enqueue(this.ann, "a1");
		assertThat(this.queue.backlog(this.ann, WAIT)).isEqualTo(Standing.BEHIND_OTHERS);
		assertThat(this.queue.backlog(this.bob, WAIT)).isEqualTo(Standing.FREE);
		LeasedItem item = start(this.ann).orElseThrow();
		assertThat(this.queue.backlog(this.ann, WAIT)).isEqualTo(Standing.BEHIND_OTHERS);
		done(item);
		assertThat(this.queue.backlog(this.ann, WAIT)).isEqualTo(Standing.FREE);
	}

	@Test
	void theQueuesOfRulesAreSeparate() {
		enqueue(this.ann, "a1");
		assertThat(this.queue.statuses(List.of("other", RULE), 10, WAIT))
			.extracting((status) -> status.orElseThrow().queued())
			.containsExactly(0L, 1L);
		assertThat(start(new QueuedSubject("other", "hann"))).isEmpty();
		assertThat(this.queue.state("other", "a1", WAIT)).contains(List.of());
	}

}
