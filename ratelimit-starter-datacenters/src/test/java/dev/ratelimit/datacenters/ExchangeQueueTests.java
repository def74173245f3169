package dev.ratelimit.datacenters;

import java.util.List;
import java.util.stream.IntStream;

import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.Subject;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ExchangeQueueTests {

	private static final Limit LIMIT = Limits.of("shop", "5/1m");

	private final ExchangeQueue queue = new ExchangeQueue();

	private static PooledSubject client(int number) {
		return new PooledSubject(LIMIT, new Subject("u" + number));
	}

	@Test
	void aClientIsQueuedOnceAndTheOldestIsFirst() {
		List.of(1, 2, 1, 3, 2).forEach((number) -> this.queue.add(client(number)));
		assertThat(this.queue.size()).isEqualTo(3);
		assertThat(this.queue.next(2)).containsExactly(client(1), client(2));
		this.queue.add(client(1));
		assertThat(this.queue.next(10)).containsExactly(client(3), client(1));
		assertThat(this.queue.next(10)).isEmpty();
	}

	@Test
	void atMostFiftyThousandAreQueued() {
		IntStream.range(0, ExchangeQueue.MOST_QUEUED + 10).forEach((number) -> this.queue.add(client(number)));
		assertThat(this.queue.size()).isEqualTo(50_000);
		assertThat(this.queue.next(1)).containsExactly(client(0));
		this.queue.add(client(ExchangeQueue.MOST_QUEUED));
		assertThat(this.queue.size()).isEqualTo(50_000);
	}

}
