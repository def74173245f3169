package dev.ratelimit.datacenters;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.redis.SharedRedis;
import dev.ratelimit.store.redis.StoreRequests;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One limit in three data centres, 100 milliseconds apart in each direction, whose lines
 * and servers fail.
 */
@Tag("proof-datacentres")
class DataCentersProof {

	private static final Duration DELAY = Duration.ofMillis(100);

	private static final Duration JITTER = Duration.ofMillis(30);

	private static final int THRESHOLD = 100;

	private static final int SHARE = 3;

	private static final int BOUND = 10;

	/** {@code threshold + (D - 1) * bound}. */
	private static final int MOST = 120;

	/** {@code share + 2 * bound}. */
	private static final int MORE_PER_LOSS = 23;

	private static final Duration WINDOW = Duration.ofSeconds(4);

	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private static final int SUBJECTS = 4;

	private static final List<String> NAMES = List.of("a", "b", "c");

	private final Limit limit = DataCentersApart.everywhere("far", THRESHOLD + "/4s");

	private final Limit alone = Limits.of(Algorithm.FIXED_WINDOW, "near", THRESHOLD + "/4s");

	private final Map<Window, AtomicInteger> admitted = new ConcurrentHashMap<>();

	private final List<Long> everywhereNanos = Collections.synchronizedList(new ArrayList<>());

	private final List<Long> aloneNanos = Collections.synchronizedList(new ArrayList<>());

	private final CountDownLatch ended = new CountDownLatch(1);

	private DataCentersApart far() {
		return new DataCentersApart(DELAY, JITTER, NAMES.toArray(String[]::new));
	}

	/** Each data centre asks for more than the limit, of each subject, all the time. */
	private List<Thread> load(DataCentersApart all) {
		List<Thread> threads = new ArrayList<>();
		for (String name : NAMES) {
			for (int instance = 0; instance < 2; instance++) {
				Thread thread = new Thread(() -> {
					for (int i = 0; !ended(Duration.ofMillis(4)); i++) {
						request(all, name, "s" + i % SUBJECTS);
					}
				});
				thread.start();
				threads.add(thread);
			}
		}
		return threads;
	}

	private boolean ended(Duration wait) {
		try {
			return this.ended.await(wait.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return true;
		}
	}

	private void request(DataCentersApart all, String name, String subject) {
		long start = System.nanoTime();
		AcquireResult result = StoreRequests.acquire(all.store(name), StoreRequests.request(this.limit, subject),
				PATIENCE);
		long between = System.nanoTime();
		StoreRequests.acquire(all.store(name), StoreRequests.request(this.alone, subject), PATIENCE);
		this.everywhereNanos.add(between - start);
		this.aloneNanos.add(System.nanoTime() - between);
		if (result instanceof AcquireResult.Admitted permits) {
			Window window = new Window(name, subject, permits.receipts().get(0) / 1000);
			this.admitted.computeIfAbsent(window, (first) -> new AtomicInteger()).incrementAndGet();
		}
	}

	/** The windows that lie within a time. */
	private Span during(Duration time) {
		long from = System.currentTimeMillis();
		assertThat(ended(time)).isFalse();
		return new Span(from, System.currentTimeMillis());
	}

	private int together(String subject, long endMillis) {
		return NAMES.stream().mapToInt((name) -> of(name, subject, endMillis)).sum();
	}

	private int of(String name, String subject, long endMillis) {
		AtomicInteger count = this.admitted.get(new Window(name, subject, endMillis));
		return (count != null) ? count.get() : 0;
	}

	/** Whether something that happened then, and may last for a while, is in a window. */
	private static boolean isIn(long endMillis, long happenedMillis, long lastsMillis) {
		return endMillis > happenedMillis && endMillis - WINDOW.toMillis() <= happenedMillis + lastsMillis;
	}

	private List<Long> ends(Span span) {
		return this.admitted.keySet()
			.stream()
			.map(Window::endMillis)
			.distinct()
			.filter((end) -> end - WINDOW.toMillis() >= span.fromMillis() && end <= span.toMillis())
			.sorted()
			.toList();
	}

	private static List<String> subjects() {
		return IntStream.range(0, SUBJECTS).mapToObj((i) -> "s" + i).toList();
	}

	private static void partition(DataCentersApart all, boolean fromA, boolean toA) {
		for (String other : List.of("b", "c")) {
			all.far("a", other).pass(fromA, toA);
			all.far(other, "a").pass(toA, fromA);
		}
	}

	private static long millis(List<Long> nanos, double part) {
		List<Long> sorted = nanos.stream().sorted().toList();
		return TimeUnit.NANOSECONDS.toMicros(sorted.get((int) (part * (sorted.size() - 1))));
	}

	private static void print(String text, Object... figures) {
		System.out.printf(Locale.ROOT, text + "%n", figures);
	}

	@Test
	void inEveryWindowAtMostTheBoundIsAdmittedWhateverFails() throws InterruptedException {
		try (DataCentersApart all = far().open(this.limit)) {
			List<Thread> load = load(all);
			during(Duration.ofSeconds(2));
			Span whole = during(Duration.ofSeconds(13));
			partition(all, false, false);
			Span apart = during(Duration.ofSeconds(20));
			partition(all, true, true);
			during(Duration.ofSeconds(8));
			partition(all, false, true);
			Span oneWay = during(Duration.ofSeconds(20));
			partition(all, true, true);
			during(Duration.ofSeconds(6));
			for (int i = 0; i < 5; i++) {
				NAMES.forEach((from) -> NAMES.stream()
					.filter((to) -> !to.equals(from))
					.forEach((to) -> all.far(from, to).cut()));
				during(Duration.ofSeconds(1));
			}
			long lost = System.currentTimeMillis();
			try (Jedis jedis = SharedRedis.connect(all.server("b"))) {
				jedis.flushAll();
			}
			during(Duration.ofSeconds(9));
			long killed = System.currentTimeMillis();
			all.server("c").kill();
			during(Duration.ofSeconds(3));
			all.server("c").restart();
			during(Duration.ofSeconds(9));
			this.ended.countDown();
			for (Thread thread : load) {
				thread.join();
			}

			int most = 0;
			int mostWithLoss = 0;
			for (long end : this.admitted.keySet().stream().map(Window::endMillis).distinct().toList()) {
				boolean loses = isIn(end, lost, 0) || isIn(end, killed, WINDOW.toMillis());
				for (String subject : subjects()) {
					int together = together(subject, end);
					assertThat(together).as("window that ends at %d", end)
						.isLessThanOrEqualTo(loses ? MOST + MORE_PER_LOSS : MOST);
					most = loses ? most : Math.max(most, together);
					mostWithLoss = loses ? Math.max(mostWithLoss, together) : mostWithLoss;
				}
			}
			List<Integer> connected = ends(whole).stream()
				.flatMap((end) -> subjects().stream().map((subject) -> together(subject, end)))
				.toList();
			assertThat(connected).isNotEmpty()
				.allSatisfy((together) -> assertThat(together).isGreaterThanOrEqualTo(THRESHOLD));
			for (Span cut : List.of(apart, oneWay)) {
				assertThat(ends(cut)).hasSizeGreaterThanOrEqualTo(3);
				for (long end : ends(cut)) {
					assertThat(subjects()).allSatisfy((subject) -> assertThat(NAMES).allSatisfy(
							(name) -> assertThat(of(name, subject, end)).as(name + subject).isEqualTo(SHARE + BOUND)));
				}
			}
			print("3.23 three data centres: in %d windows at most %d of %d are admitted together, at most %d allowed; connected "
					+ "%d to %d; cut off %d each; with a loss of data %d, at most %d allowed",
					this.admitted.keySet().stream().map(Window::endMillis).distinct().count() * SUBJECTS, most,
					THRESHOLD, MOST, Collections.min(connected), Collections.max(connected), SHARE + BOUND,
					mostWithLoss, MOST + MORE_PER_LOSS);
			print("3.23 a decision waits for no other data centre: p50 %d, p99 %d microseconds, of one data centre %d, %d; a "
					+ "line takes 200,000", millis(this.everywhereNanos, 0.5), millis(this.everywhereNanos, 0.99),
					millis(this.aloneNanos, 0.5), millis(this.aloneNanos, 0.99));
			assertThat(millis(this.everywhereNanos, 0.99)).isLessThan(DELAY.toNanos() / 1000);
		}
	}

	@Test
	void withoutAcknowledgementsTheLimitIsExceeded() throws InterruptedException {
		UnaryOperator<String> change = (text) -> {
			String changed = text.replace("math.min(room, bound - unacknowledged)", "room");
			assertThat(text.contains("Takes permits from a share")).isEqualTo(!changed.equals(text));
			return changed;
		};
		try (DataCentersApart all = far().changed(change).open(this.limit)) {
			partition(all, false, false);
			List<Thread> load = load(all);
			Span apart = during(Duration.ofSeconds(10));
			this.ended.countDown();
			for (Thread thread : load) {
				thread.join();
			}
			int most = ends(apart).stream()
				.flatMap((end) -> subjects().stream().map((subject) -> together(subject, end)))
				.mapToInt(Integer::intValue)
				.max()
				.orElse(0);
			assertThat(most).isGreaterThan(MOST);
			print("control, without acknowledgements: %d of %d", most, THRESHOLD);
		}
	}

	@Test
	void afterHealingTheCountersAgree() {
		Limit day = DataCentersApart.everywhere("day", "1000/1d");
		try (DataCentersApart all = far().open(day)) {
			all.admitted("a", day, "u1", 100);
			partition(all, false, false);
			all.admitted("a", day, "u1", 100);
			all.admitted("b", day, "u1", 150);
			all.admitted("c", day, "u1", 170);
			during(Duration.ofSeconds(20));
			long healed = System.nanoTime();
			partition(all, true, true);
			Awaitility.await()
				.atMost(Duration.ofSeconds(10))
				.pollInterval(Duration.ofMillis(5))
				.until(() -> agree(all));
			double took = (System.nanoTime() - healed) / 1e6;
			double due = 2 * DataCentersApart.INTERVAL.toMillis() + 2.0 * (DELAY.toMillis() + JITTER.toMillis());
			print("3.24 after 20 s apart the counters agree in %.0f ms: two exchanges and a round trip take %.0f, after a call that "
					+ "is under way, which ends within 1,000", took, due);
			assertThat(took).isLessThan(2 * (1000 + due));
		}
	}

	private static boolean agree(DataCentersApart all) {
		List<Map<String, String>> views = NAMES.stream().map((name) -> all.view(name, "day:u1")).toList();
		return views.stream().allMatch((view) -> view.size() == NAMES.size() && view.equals(views.get(0)));
	}

	@Test
	void onlySubjectsThatDrawOnThePoolAreSent() {
		Limit many = DataCentersApart.everywhere("many", "100/1d");
		int drawing = 10_000;
		int within = 990_000;
		try (DataCentersApart all = new DataCentersApart(Duration.ofMillis(1), Duration.ZERO, "a", "b").open(many)) {
			Awaitility.await().until(() -> all.pools("a").peers().get(0).sinceReply().isPresent());
			acquire(all, many, "w", within, 1);
			long calls = all.calls("b");
			long bytes = all.far("a", "b").bytes();
			acquire(all, many, "d", drawing, 6);
			Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> all.calls("b") - calls >= drawing);
			long sent = all.calls("b") - calls;
			long carried = all.far("a", "b").bytes() - bytes;
			print("3.24 of %,d subjects %,d draw on the pool: %,d calls, %,d bytes on the line (%.0f each)",
					drawing + within, drawing, sent, carried, (double) carried / drawing);
			assertThat(sent).isBetween((long) drawing, drawing + drawing / 10L);
			assertThat(carried).isLessThan(700L * drawing);
			assertThat(calls).as("of those within their share, only the configurations").isLessThan(200);
		}
	}

	private static void acquire(DataCentersApart all, Limit limit, String subjects, int number, int cost) {
		for (int from = 0; from < number; from += 500) {
			int first = from;
			List<AcquireRequest> requests = IntStream.range(first, first + 500)
				.mapToObj((i) -> StoreRequests.request(limit, subjects + i, cost))
				.toList();
			assertThat(all.store("a").acquire(requests, Duration.ofSeconds(20)).await())
				.allMatch(StoreRequests::isAdmitted);
		}
	}

	private record Window(String dataCenter, String subject, long endMillis) {
	}

	private record Span(long fromMillis, long toMillis) {
	}

}
