package dev.ratelimit.actuate;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.queue.DeadLetterTerms;
import dev.ratelimit.queue.Enqueue;
import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.queue.ItemState.Progress;
import dev.ratelimit.queue.LeasedItem;
import dev.ratelimit.queue.QueuedSubject;
import dev.ratelimit.queue.redis.TimedQueues;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.redis.SharedRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What operators do with dead letters, on a real Redis.
 */
class QueueOperationsTests {

	private static final Duration WAIT = Patience.LONG;

	private static final RLConfig RULE = RLConfig.builder("orders")
		.key("header:X")
		.thresholds("1/1s")
		.onLimit(Enqueue.DEFAULT)
		.build();

	private final ItemQueue queue = TimedQueues.on(new MovableClock());

	private final QueueOperations operations = new QueueOperations(Optional.of(this.queue), new SubjectEncoder(64, ""),
			WAIT);

	@AfterEach
	void empty() {
		SharedRedis.removeKeys();
	}

	private void bury(String id) {
		QueuedSubject of = new QueuedSubject(RULE.id(), "hann");
		this.queue.enqueue(of, id, Map.of(), new ItemQueue.Room(1, 1, 1 << 20), WAIT);
		LeasedItem item = this.queue.start(of, id, "worker", WAIT, WAIT).leased().orElseThrow();
		this.queue.bury(item, WAIT, new DeadLetterTerms("failed", 1000, 1 << 20, Duration.ofDays(1)), WAIT);
	}

	private Progress progress(String id) {
		return this.queue.state(RULE.id(), id, WAIT).orElseThrow().get(0).progress();
	}

	@Test
	@DisplayName("a dead letter is found behind many others, and no script reads more than fifty of them")
	void deadLettersAreReadInPages() {
		for (int i = 0; i < 120; i++) {
			bury("id" + i);
		}
		this.operations.retry(RULE, "id0");
		long before = TimedQueues.scriptCalls();
		this.operations.retry(RULE, "id119");
		assertThat(TimedQueues.scriptCalls() - before).as("pages of 50, 50 and 19, and the retry").isEqualTo(4);
		assertThat(progress("id119")).isEqualTo(Progress.QUEUED);
		assertThat(progress("id118")).isEqualTo(Progress.DEAD);
		assertThatExceptionOfType(OperatorException.class).isThrownBy(() -> this.operations.retry(RULE, "id119"))
			.withMessageContaining("no such dead letter");
	}

	@Test
	void aRuleThatDoesNotEnqueueHasNoDeadLetters() {
		bury("id0");
		RLConfig rejecting = RLConfig.builder("orders").key("header:X").thresholds("1/1s").build();
		assertThatExceptionOfType(OperatorException.class).isThrownBy(() -> this.operations.retry(rejecting, "id0"));
		assertThat(progress("id0")).isEqualTo(Progress.DEAD);
	}

}
