package dev.ratelimit.integration.algorithms;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.ratelimit.fixture.DelegatingStore;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.SharedCluster;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.memory.MemoryStore;
import dev.ratelimit.support.Pending;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One tenant sends many times its limit while another one keeps to it.
 */
@ExtendWith(SharedCluster.class)
class NoisyTenantTests {

	private static final int LIMIT = 40;

	private static final int THREADS = 16;

	private static final String RULES = """
			ratelimit.deny-cache: 1m
			ratelimit.rules.get-product:
			  paths: /v1/organizations/{orgId}/product/{id}
			  key: path:orgId
			  thresholds: %d/10m
			""".formatted(LIMIT);

	private static int get(App app, String tenant, int product) {
		return app.get("/v1/organizations/" + tenant + "/product/" + product).statusCode();
	}

	private static List<Integer> quiet(App app) {
		return IntStream.range(0, LIMIT).mapToObj((i) -> get(app, "quiet", i)).toList();
	}

	@Test
	@DisplayName("0.7, 2.1: one tenant reads ten times its limit into an empty cache, on 16 threads: another one loses nothing")
	void aStormCostsTheOtherTenantNothing() throws Exception {
		try (App app = App.start(SharedCluster.yaml() + RULES)) {
			long calls = SharedCluster.scriptCalls(app);
			ExecutorService threads = Executors.newFixedThreadPool(THREADS + 1);
			try {
				CountDownLatch start = new CountDownLatch(THREADS + 1);
				Future<List<Integer>> quiet = threads.submit(() -> {
					start.countDown();
					start.await();
					return quiet(app);
				});
				AtomicInteger product = new AtomicInteger();
				Callable<List<Integer>> storm = () -> {
					start.countDown();
					start.await();
					List<Integer> statuses = new ArrayList<>();
					while (statuses.size() < 10 * LIMIT / THREADS || !quiet.isDone()) {
						statuses.add(get(app, "noisy", product.incrementAndGet()));
					}
					return statuses;
				};
				List<Integer> noisy = new ArrayList<>();
				for (Future<List<Integer>> statuses : threads.invokeAll(Collections.nCopies(THREADS, storm))) {
					noisy.addAll(statuses.get());
				}
				assertThat(quiet.get()).hasSize(LIMIT).containsOnly(200);
				assertThat(noisy).hasSizeGreaterThanOrEqualTo(10 * LIMIT).containsOnly(200, 429);
				assertThat(Collections.frequency(noisy, 200)).isEqualTo(LIMIT);
			}
			finally {
				threads.shutdownNow();
			}
			assertThat(app.handled()).as("what the service behind has to do").isEqualTo(2 * LIMIT);
			assertThat(SharedCluster.scriptCalls(app) - calls)
				.as("what Redis has to do: what it admits, and at most one refusal of each thread")
				.isLessThanOrEqualTo(2 * LIMIT + THREADS);
		}
	}

	@Test
	@DisplayName("0.7: while every decision of one tenant waits for the store, those of another one do not")
	void decisionsOfOneTenantDoNotWaitForThoseOfAnother() throws Exception {
		try (App app = App.start("ratelimit.deadline: 10s\n" + RULES, HoldingApp.class)) {
			HoldingStore store = app.bean(HoldingStore.class);
			ExecutorService threads = Executors.newFixedThreadPool(THREADS);
			try {
				List<Future<Integer>> noisy = IntStream.range(0, THREADS)
					.mapToObj((i) -> threads.submit(() -> get(app, "noisy", i)))
					.toList();
				Awaitility.await().atMost(Patience.LONG).until(() -> store.held.get() == THREADS);
				assertThat(quiet(app)).containsOnly(200);
				assertThat(noisy).noneMatch(Future::isDone);
				store.released.countDown();
				for (Future<Integer> status : noisy) {
					assertThat(status.get()).isEqualTo(200);
				}
			}
			finally {
				store.released.countDown();
				threads.shutdownNow();
			}
		}
	}

	/** Holds the requests of the first subject that it receives. */
	private static final class HoldingStore extends DelegatingStore {

		private final AtomicInteger held = new AtomicInteger();

		private final CountDownLatch released = new CountDownLatch(1);

		private String first = "";

		HoldingStore(RateLimitStore store) {
			super(store);
		}

		@Override
		public Pending<List<AcquireResult>> acquire(List<AcquireRequest> requests, Duration maxWait) {
			if (isHeld(requests.get(0).subject().text())) {
				this.held.incrementAndGet();
				try {
					this.released.await();
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
			}
			return super.acquire(requests, maxWait);
		}

		private synchronized boolean isHeld(String subject) {
			if (this.first.isEmpty()) {
				this.first = subject;
			}
			return this.first.equals(subject);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class HoldingApp {

		@Bean
		HoldingStore rateLimitStore() {
			return new HoldingStore(new MemoryStore(new MovableClock()));
		}

	}

}
