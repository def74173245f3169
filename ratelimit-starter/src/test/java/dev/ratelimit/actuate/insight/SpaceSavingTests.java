package dev.ratelimit.actuate.insight;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import dev.ratelimit.store.Subject;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Counts of the sketch against exact ones.
 */
class SpaceSavingTests {

	private static final int REQUESTS = 20_000;

	@Property(tries = 60)
	void noCountIsTooSmallAndNoneIsTooLargeByMoreThanTheBound(@ForAll Streams stream,
			@ForAll @IntRange(min = 1, max = 64) int counters, @ForAll long seed) {
		List<Subject> requests = stream.take(REQUESTS, seed);
		SpaceSaving sketch = new SpaceSaving(counters);
		requests.forEach(sketch::add);
		assertBounds(sketch, counters, requests);
	}

	private static void assertBounds(SpaceSaving sketch, int counters, List<Subject> requests) {
		Map<Subject, Long> exact = new HashMap<>();
		requests.forEach((subject) -> exact.merge(subject, 1L, Long::sum));
		long bound = requests.size() / counters;
		Map<Subject, HeavyClient> listed = new HashMap<>();
		sketch.counters().forEach((counter) -> listed.put(counter.subject(), counter.toClient()));
		assertThat(listed).hasSizeLessThanOrEqualTo(counters);
		assertThat(listed.values()).allSatisfy((client) -> {
			long count = exact.get(client.subject());
			assertThat(client.requests()).isBetween(count, count + client.overcountAtMost());
			assertThat(client.overcountAtMost()).isLessThanOrEqualTo(bound);
		});
		exact.forEach((subject, count) -> {
			if (count > bound) {
				assertThat(listed).containsKey(subject);
			}
		});
		assertThat(listed.values().stream().mapToLong(HeavyClient::requests).sum()).as("each request counts once")
			.isEqualTo(requests.size());
	}

	@Test
	void theBoundsHoldWhileManyThreadsCount() throws Exception {
		int counters = 16;
		SpaceSaving sketch = new SpaceSaving(counters);
		List<Subject> requests = new ArrayList<>();
		List<Callable<Void>> threads = new ArrayList<>();
		for (Streams stream : Streams.values()) {
			List<Subject> own = stream.take(REQUESTS, 7);
			requests.addAll(own);
			threads.add(() -> {
				own.forEach(sketch::add);
				return null;
			});
		}
		ExecutorService executor = Executors.newFixedThreadPool(threads.size());
		try {
			for (Future<Void> thread : executor.invokeAll(threads)) {
				thread.get();
			}
		}
		finally {
			executor.shutdown();
		}
		assertBounds(sketch, counters, requests);
	}

}
