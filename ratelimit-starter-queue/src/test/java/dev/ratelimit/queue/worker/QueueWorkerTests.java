package dev.ratelimit.queue.worker;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.queue.DeadLetter;
import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.queue.QueuedSubject;
import dev.ratelimit.queue.redis.TimedQueues;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.redis.SharedRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

/**
 * What workers do with requests that are queued in Redis.
 */
@ExtendWith(OutputCaptureExtension.class)
class QueueWorkerTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private final Workshop workshop = new Workshop(QueueWorkerTests::queue, "1/1m");

	private final Workshop wide = new Workshop(QueueWorkerTests::queue, "1000/1m");

	private static ItemQueue queue(MovableClock clock) {
		return TimedQueues.on(clock);
	}

	@AfterEach
	void empty() {
		SharedRedis.removeKeys();
	}

	@Test
	@DisplayName("hands items out at the pace the rule allows, and sleeps until there is room")
	void theRuleSetsThePace() {
		QueueWorker worker = this.workshop.worker();
		this.workshop.enqueue("hann", "a1", "a2", "a3");
		worker.round();
		worker.round();
		assertThat(this.workshop.happened).containsExactly("a1");
		assertThat(this.workshop.status().untilNext()).contains(MINUTE);
		this.workshop.clock.advance(MINUTE.minusMillis(1));
		worker.round();
		assertThat(this.workshop.happened).containsExactly("a1");
		this.workshop.clock.advance(Duration.ofMillis(1));
		worker.round();
		assertThat(this.workshop.happened).containsExactly("a1", "a2");
	}

	@Test
	void aRoundReturnsWhenTheNextOneIsDue() {
		QueueWorker worker = this.workshop.worker();
		assertThat(worker.round()).isEqualTo(QueueWorker.PAUSE);
		this.workshop.enqueue("hann", "a1", "a2");
		worker.round();
		worker.round();
		this.workshop.clock.advance(MINUTE.minusMillis(100));
		assertThat(worker.round()).isEqualTo(Duration.ofMillis(100));
	}

	@Test
	@DisplayName("a failing item holds back its own key only, until it is dead-lettered")
	void aFailingItemIsRetriedAndThenBuried() {
		this.wide.handler = (request) -> {
			this.wide.happened.add(request.text() + "#" + request.attempt());
			if (request.text().equals("a1")) {
				throw new IllegalStateException("not now");
			}
		};
		QueueWorker worker = this.wide.worker();
		this.wide.enqueue("hann", "a1", "a2");
		this.wide.enqueue("hbob", "b1", "b2");
		worker.round();
		worker.round();
		assertThat(this.wide.happened).containsExactly("a1#1", "RETRIED", "b1#1", "b2#1");
		this.wide.clock.advance(Duration.ofMillis(999));
		worker.round();
		this.wide.clock.advance(Duration.ofMillis(1));
		worker.round();
		assertThat(this.wide.happened).endsWith("b2#1", "a1#2", "RETRIED");
		this.wide.clock.advance(Duration.ofMillis(1999));
		worker.round();
		this.wide.clock.advance(Duration.ofMillis(1));
		worker.round();
		worker.round();
		assertThat(this.wide.happened).endsWith("a1#3", "DEAD", "a2#1");
		assertThat(this.wide.queue.dead(Workshop.RULE, Optional.empty(), 10, MINUTE).orElseThrow())
			.extracting(DeadLetter::id, DeadLetter::reason, DeadLetter::attempts)
			.containsExactly(tuple("a1", "failed", 3));
	}

	@Test
	void aFailureIsLoggedWithoutTheTextOfTheException(CapturedOutput output) {
		this.wide.handler = (request) -> {
			throw new IllegalStateException("no account of " + request.text());
		};
		this.wide.enqueue("hann", "ann@example.org");
		this.wide.worker().round();
		assertThat(output).containsOnlyOnce("failed with java.lang.IllegalStateException, and is tried again")
			.doesNotContain("no account of");
	}

	/** On an interrupted thread, the reply of the store would not be awaited. */
	@Test
	void aHandlerMayLeaveItsThreadInterrupted() {
		List<Boolean> interrupted = new ArrayList<>();
		Workshop workshop = new Workshop((clock) -> {
			ItemQueue queue = queue(clock);
			return (ItemQueue) Proxy.newProxyInstance(ItemQueue.class.getClassLoader(),
					new Class<?>[] { ItemQueue.class }, (proxy, method, arguments) -> {
						if (method.getName().equals("done")) {
							interrupted.add(Thread.currentThread().isInterrupted());
						}
						return method.invoke(queue, arguments);
					});
		}, "1000/1m");
		workshop.handler = (request) -> Thread.currentThread().interrupt();
		workshop.enqueue("hann", "a1");
		workshop.worker().round();
		assertThat(Thread.interrupted()).as("its thread stays so").isTrue();
		assertThat(interrupted).containsExactly(false);
	}

	@Test
	void anItemThatIsTooOldIsBuriedOnTimeThoughTheLimitIsReached() {
		QueueWorker worker = this.workshop.worker();
		this.workshop.enqueue("hann", "a1", "a2");
		for (int minute = 0; minute < 3; minute++) {
			worker.round();
		}
		this.workshop.handler = (request) -> {
			throw new AssertionError("it is too old");
		};
		this.workshop.clock.advance(Duration.ofHours(1));
		worker.round();
		assertThat(this.workshop.happened).containsExactly("a1", "DEAD");
		assertThat(this.workshop.queue.dead(Workshop.RULE, Optional.empty(), 10, MINUTE).orElseThrow())
			.extracting(DeadLetter::reason)
			.containsExactly("too old");
	}

	@Test
	@DisplayName("a limit lowered below the cost of a request: it is buried, and the next one of its key goes on")
	void anItemThatCanNeverBeAdmittedMakesWay() {
		this.workshop.enqueue(2, "hann", "a1");
		this.workshop.enqueue("hann", "a2");
		QueueWorker worker = this.workshop.worker();
		worker.round();
		worker.round();
		assertThat(this.workshop.happened).containsExactly("DEAD", "a2");
		assertThat(this.workshop.queue.dead(Workshop.RULE, Optional.empty(), 10, MINUTE).orElseThrow())
			.extracting(DeadLetter::id, DeadLetter::reason)
			.containsExactly(tuple("a1", "cost above the limit"));
	}

	@Test
	@DisplayName("a rule that is removed, or enqueues no more: its items wait, and are handled when it enqueues again")
	void itemsWaitForTheirRule() {
		RLConfig[] before = this.wide.inForce();
		this.wide.enqueue("hann", "a1");
		QueueWorker worker = this.wide.worker();
		for (RLConfig[] without : List.of(new RLConfig[0],
				new RLConfig[] { RLConfig.builder(Workshop.RULE).key("header:X").thresholds("1/1m").build() })) {
			this.wide.bring(without);
			worker.round();
			assertThat(this.wide.happened).isEmpty();
		}
		this.wide.bring(before);
		worker.round();
		assertThat(this.wide.happened).containsExactly("a1");
	}

	@Test
	@DisplayName("a rule that enqueues no more while one of its items is leased: it is returned, at no attempt's cost")
	void aLeasedItemOfARuleThatEnqueuesNoMoreIsReturned() {
		List<Runnable> started = new ArrayList<>();
		RLConfig[] before = this.wide.inForce();
		this.wide.handler = (request) -> this.wide.happened.add(request.text() + "#" + request.attempt());
		this.wide.enqueue("hann", "a1");
		this.wide.worker(started::add).round();
		this.wide.bring();
		started.remove(0).run();
		assertThat(this.wide.happened).isEmpty();
		this.wide.bring(before);
		this.wide.worker().round();
		assertThat(this.wide.happened).containsExactly("a1#1");
	}

	@Test
	@DisplayName("a client that was blocked since: its items are buried, and not handled")
	void itemsOfABlockedClientAreBuried() {
		this.wide.enqueue(this.wide.blocked, "a1", "a2");
		this.wide.enqueue("hbob", "b1");
		QueueWorker worker = this.wide.worker();
		worker.round();
		worker.round();
		assertThat(this.wide.happened).containsExactlyInAnyOrder("DEAD", "DEAD", "b1");
		assertThat(this.wide.queue.dead(Workshop.RULE, Optional.empty(), 10, MINUTE).orElseThrow())
			.extracting(DeadLetter::id, DeadLetter::reason)
			.containsExactly(tuple("a1", "blocked"), tuple("a2", "blocked"));
	}

	@Test
	@DisplayName("where Redis reads but does not write, it is called twice a second, and not again at once")
	void aStoreThatCannotWriteIsCalledTwiceASecond() {
		this.wide.enqueue("hann", "a1");
		this.wide.enqueue("hbob", "b1");
		TimedQueues.writes(false);
		try {
			assertThat(this.wide.commandsIn(Duration.ofSeconds(10))).as("20 looks, and each subject in every other")
				.isBetween(40L, 60L);
		}
		finally {
			TimedQueues.writes(true);
		}
		assertThat(this.wide.happened).isEmpty();
		this.wide.commandsIn(Duration.ofSeconds(1));
		assertThat(this.wide.happened).containsExactlyInAnyOrder("a1", "b1");
	}

	@Test
	@DisplayName("a damaged stream holds back its own key only, and is read twice a second")
	void aDamagedStreamHoldsBackItsOwnKey() {
		this.wide.enqueue("hann", "a1");
		TimedQueues.damage(Workshop.RULE, "hann");
		this.wide.enqueue("hbob", "b1", "b2", "b3");
		assertThat(this.wide.commandsIn(Duration.ofSeconds(10))).isBetween(30L, 70L);
		assertThat(this.wide.happened).containsExactly("b1", "b2", "b3");
	}

	@Test
	void anItemThatKillsItsWorkersIsBuriedToo() {
		this.wide.enqueue("hann", "a1", "a2");
		for (int i = 1; i <= 3; i++) {
			killedWorker(this.wide);
			this.wide.clock.advance(Workshop.SETTINGS.lease());
		}
		QueueWorker worker = this.wide.worker();
		worker.round();
		worker.round();
		assertThat(this.wide.happened).containsExactly("DEAD", "a2");
	}

	/** A worker that leases the item and never replies. */
	private static void killedWorker(Workshop workshop) {
		assertThat(workshop.queue
			.start(new QueuedSubject(Workshop.RULE, "hann"), "t" + workshop.clock.micros(), "killed",
					Workshop.SETTINGS.lease(), MINUTE)
			.leased()).isPresent();
	}

	@Test
	@DisplayName("two instances: together they hand out no more than the rule allows, each item once, in order")
	void instancesShareTheWork() {
		QueueWorker one = this.workshop.worker();
		QueueWorker other = this.workshop.worker();
		this.workshop.enqueue("hann", "a1", "a2", "a3", "a4");
		for (int i = 0; i < 4; i++) {
			one.round();
			other.round();
			assertThat(this.workshop.happened).hasSize(i + 1);
			this.workshop.clock.advance(MINUTE);
		}
		assertThat(this.workshop.happened).containsExactly("a1", "a2", "a3", "a4");
		assertThat(this.workshop.status().queued()).isZero();
	}

	@Test
	@DisplayName("a worker that pauses beyond its lease: its result is ignored")
	void aWorkerThatPausesLosesItsItem() {
		QueueWorker other = this.wide.worker();
		List<Integer> attempts = new ArrayList<>();
		this.wide.handler = (request) -> {
			attempts.add(request.attempt());
			if (request.attempt() == 1) {
				this.wide.clock.advance(Workshop.SETTINGS.lease());
				other.round();
				throw new IllegalStateException("of the worker that paused");
			}
		};
		QueueWorker paused = this.wide.worker();
		this.wide.enqueue("hann", "a1");
		paused.round();
		assertThat(attempts).containsExactly(1, 2);
		assertThat(this.wide.happened).as("its failure counts for nothing").isEmpty();
		assertThat(this.wide.status().queued()).isZero();
	}

	@Test
	void aLeaseIsProlongedWhileAHandlerRuns() {
		Deque<Runnable> work = new ArrayDeque<>();
		QueueWorker slow = this.wide.worker(work::add);
		QueueWorker other = this.wide.worker();
		this.wide.handler = (request) -> {
			for (int i = 0; i < 10; i++) {
				this.wide.clock.advance(Workshop.SETTINGS.lease().dividedBy(2));
				slow.round();
				other.round();
			}
			this.wide.happened.add(request.text());
		};
		this.wide.enqueue("hann", "a1");
		slow.round();
		work.remove().run();
		assertThat(this.wide.happened).containsExactly("a1");
		assertThat(this.wide.status().queued()).isZero();
	}

	@Test
	void noMoreRunAtTheSameTimeThanThereAreWorkers() {
		Deque<Runnable> work = new ArrayDeque<>();
		QueueWorker worker = this.wide.worker(work::add);
		this.wide.enqueue("hann", "a1", "a2");
		this.wide.enqueue("hbob", "b1");
		this.wide.enqueue("hcat", "c1");
		worker.round();
		worker.round();
		assertThat(work).hasSize(2);
		work.remove().run();
		worker.round();
		assertThat(work).hasSize(2);
	}

	@Test
	@DisplayName("stops gracefully: returns an item that has not begun, which is no attempt")
	void anItemThatHasNotBegunIsReturned() {
		this.wide.stopping = true;
		this.wide.enqueue("hann", "a1");
		this.wide.worker().round();
		assertThat(this.wide.happened).isEmpty();
		assertThat(this.wide.status().due()).containsExactly("hann");
		this.wide.stopping = false;
		this.wide.handler = (request) -> this.wide.happened.add(request.text() + "#" + request.attempt());
		this.wide.worker().round();
		assertThat(this.wide.happened).containsExactly("a1#1");
	}

}
