package dev.ratelimit.proof;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

import dev.ratelimit.integration.support.App;
import dev.ratelimit.proof.DecisionTrace.Decision;
import dev.ratelimit.proof.Load.Response;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.awaitility.Awaitility;

/**
 * Load on an application, before, while and after something is wrong with its Redis.
 */
final class FaultRound {

	static final int CLIENTS = 6;

	/** For each client, as a request waits more often than a control. */
	private static final int CONTROLS = 4;

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final App app;

	private final DecisionTrace trace;

	private final int clients;

	private final Duration before;

	private final Duration meanwhile;

	FaultRound(App app, int clients, Duration before, Duration meanwhile) {
		this.app = app;
		this.trace = app.bean(DecisionTrace.class);
		this.clients = clients;
		this.before = before;
		this.meanwhile = meanwhile;
	}

	/**
	 * Run it.
	 * @param client the client that sends the requests
	 * @param begin begins what is wrong
	 * @param end ends it
	 * @param writable whether other clients can write to Redis again
	 * @return what was observed
	 */
	Observed run(String client, Runnable begin, Runnable end, BooleanSupplier writable) {
		this.trace.clear();
		Map<String, Double> lost = lost(this.app);
		try (Controls controls = Controls.start(Observed.DEADLINE, CONTROLS * this.clients);
				Load load = Load.start(this.app.port(), this.clients, (n) -> Policies.request(client, n))) {
			pass(this.before);
			long threads = threads();
			begin.run();
			long from = System.nanoTime() + Observed.DEADLINE.toNanos();
			pass(this.meanwhile);
			if (!this.meanwhile.isZero()) {
				awaitEveryRule(load, from);
			}
			long to = System.nanoTime() - 2 * Observed.DEADLINE.toNanos();
			long more = threads() - threads;
			end.run();
			Awaitility.await().pollInterval(Duration.ofMillis(5)).atMost(PATIENCE).until(writable::getAsBoolean);
			Duration recovery = awaitShared(System.nanoTime());
			pass(Duration.ofMillis(500));
			more = Math.max(more, threads() - threads);
			List<Response> responses = load.stop();
			return new Observed(this.trace.all(), responses,
					responses.stream()
						.filter((response) -> response.startNanos() > from && response.startNanos() < to)
						.toList(),
					controls.worst(), more, recovery, mostMore(lost));
		}
	}

	/** On a machine that stalls, the usual time may not be enough. */
	private static void awaitEveryRule(Load load, long from) {
		Awaitility.await()
			.pollInterval(Duration.ofMillis(5))
			.atMost(PATIENCE)
			.until(() -> load.responses(from, System.nanoTime() - 2 * Observed.DEADLINE.toNanos())
				.filter((response) -> Policies.isFromNewClient(response.request()))
				.map((response) -> response.request().path())
				.distinct()
				.count() == Policies.RULES);
	}

	/** The permits that each rule reported to Redis without a reply. */
	static Map<String, Double> lost(App app) {
		return app.bean(MeterRegistry.class)
			.find("ratelimit.sync.lost")
			.counters()
			.stream()
			.collect(Collectors.toMap((counter) -> counter.getId().getTag("rule"), Counter::count));
	}

	private long mostMore(Map<String, Double> before) {
		return lost(this.app).entrySet()
			.stream()
			.mapToLong((entry) -> Math.round(entry.getValue() - before.get(entry.getKey())))
			.max()
			.orElse(0);
	}

	/** Waits until every rule has been decided in Redis again. */
	private Duration awaitShared(long writableNanos) {
		Awaitility.await()
			.pollInterval(Duration.ofMillis(20))
			.atMost(PATIENCE)
			.until(() -> shared(writableNanos).size() == 3);
		return Duration.ofNanos(
				shared(writableNanos).values().stream().mapToLong(Long::longValue).max().orElseThrow() - writableNanos);
	}

	private Map<String, Long> shared(long since) {
		return this.trace.since(since)
			.stream()
			.filter(Decision::isShared)
			.collect(Collectors.toMap(Decision::rule, Decision::atNanos, Math::min));
	}

	/** Threads of the limiter and of Tomcat, not those of the proof. */
	private static long threads() {
		Set<Thread> threads = Thread.getAllStackTraces().keySet();
		return threads.stream()
			.filter((thread) -> !thread.getName()
				.matches("(control|load|fault-proxy|awaitility|ForkJoin|HttpClient|process reaper).*"))
			.count();
	}

	static void pass(Duration time) {
		try {
			boolean ignored = new CountDownLatch(1).await(time.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
