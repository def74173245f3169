package dev.ratelimit.queue.actuate;

import java.time.Duration;
import java.util.Map;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.queue.DeadLetterTerms;
import dev.ratelimit.queue.Enqueue;
import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.queue.ItemState.Progress;
import dev.ratelimit.queue.LeasedItem;
import dev.ratelimit.queue.QueuedSubject;
import dev.ratelimit.queue.redis.TimedQueues;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.spi.EndpointPart.Retry;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.redis.SharedRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

/**
 * What operators do with dead letters, on a real Redis.
 */
class QueueEndpointPartTests {

	private static final Duration WAIT = Patience.LONG;

	private static final RLConfig RULE = RLConfig.builder("orders")
		.key("header:X")
		.thresholds("1/1s")
		.onLimit(Enqueue.DEFAULT)
		.build();

	private final ItemQueue queue = TimedQueues.on(new MovableClock());

	private final QueueEndpointPart part = new QueueEndpointPart(this.queue, Subject::text);

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
		assertThat(this.part.retry(RULE, "id0")).isEqualTo(Retry.DONE);
		long before = TimedQueues.scriptCalls();
		assertThat(this.part.retry(RULE, "id119")).isEqualTo(Retry.DONE);
		assertThat(TimedQueues.scriptCalls() - before).as("pages of 50, 50 and 19, and the retry").isEqualTo(4);
		assertThat(progress("id119")).isEqualTo(Progress.QUEUED);
		assertThat(progress("id118")).isEqualTo(Progress.DEAD);
		assertThat(this.part.retry(RULE, "id119")).isEqualTo(Retry.UNKNOWN);
	}

	@Test
	void aRuleThatDoesNotEnqueueHasNoDeadLetters() {
		bury("id0");
		RLConfig rejecting = RLConfig.builder("orders").key("header:X").thresholds("1/1s").build();
		assertThat(this.part.retry(rejecting, "id0")).isEqualTo(Retry.UNKNOWN);
		assertThat(this.part.describe(rejecting)).isEmpty();
		assertThat(this.part.describe(RULE)).get()
			.asInstanceOf(type(QueueDescriptor.class))
			.satisfies((queue) -> assertThat(queue.deadLetters()).singleElement()
				.satisfies((letter) -> assertThat(letter.client()).isEqualTo("hann")));
		assertThat(progress("id0")).isEqualTo(Progress.DEAD);
	}

}
