package dev.ratelimit.proof;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.integration.support.App;
import dev.ratelimit.proof.DecisionTrace.Decision;
import dev.ratelimit.proof.Load.Response;
import dev.ratelimit.rule.Mode;
import org.awaitility.Awaitility;

/**
 * Two instances of an application under load of many addresses, each of which uses up its
 * limits. A rule that responds with 503 shows whether Redis could be called.
 */
final class Crowd {

	private Crowd() {
	}

	/**
	 * Run the load while something happens.
	 * @param instances the instances
	 * @param round a number that no other round has
	 * @param begin what happens; returns when it has
	 * @param writable whether other clients of Redis can write again to what was hit
	 * @param end repairs what does not recover by itself
	 * @return the outcome
	 */
	static Outcome during(Instances instances, int round, Runnable begin, BooleanSupplier writable, Runnable end) {
		List<DecisionTrace> traces = instances.sound().stream().map((app) -> app.bean(DecisionTrace.class)).toList();
		traces.forEach(DecisionTrace::clear);
		CrowdRules rules = instances.rules();
		double lost = lost(instances);
		List<Load> loads = new ArrayList<>();
		try (Controls controls = Controls.start(Observed.DEADLINE, 8 * rules.clients())) {
			instances.sound().forEach((app) -> loads.add(load(app, rules, rules.clients(), round)));
			Load broken = load(instances.broken(), rules, 1, round);
			loads.add(broken);
			FaultRound.pass(Duration.ofMillis(1500));
			long begun = System.nanoTime();
			begin.run();
			Awaitility.await()
				.pollInterval(Duration.ofMillis(5))
				.atMost(Duration.ofSeconds(60))
				.until(writable::getAsBoolean);
			long writableNanos = System.nanoTime();
			FaultRound.pass(Duration.ofSeconds(3));
			end.run();
			FaultRound.pass(Duration.ofSeconds(1));
			loads.remove(broken);
			List<List<Response>> responses = loads.stream().map(Load::stop).toList();
			long brokenPromises = broken.stop().stream().filter(Crowd::breaksAPromise).count();
			Duration slowest = traces.stream()
				.flatMap((trace) -> trace.all().stream())
				.map(Decision::took)
				.max(Comparator.naturalOrder())
				.orElseThrow();
			return new Outcome(responses, begun, writableNanos, slowest, controls.worst(), brokenPromises,
					Math.round(lost(instances) - lost));
		}
		finally {
			loads.forEach(Load::close);
		}
	}

	private static double lost(Instances instances) {
		return instances.sound()
			.stream()
			.flatMap((app) -> FaultRound.lost(app).values().stream())
			.mapToDouble(Double::doubleValue)
			.sum();
	}

	private static Load load(App app, CrowdRules rules, int clients, int round) {
		return Load.start(app.port(), clients, (n) -> rules.request(round, n));
	}

	static boolean isDenied(Response response) {
		return Stream.of(Mode.ModeKind.values()).anyMatch((mode) -> isDenied(response, mode));
	}

	private static boolean isDenied(Response response, Mode.ModeKind mode) {
		return response.status() == 503 && response.request().path().equals(CrowdRules.deny(mode));
	}

	private static boolean isError(Response response) {
		return response.status() >= 500 && !isDenied(response);
	}

	private static boolean breaksAPromise(Response response) {
		return isError(response) || response.endNanos() - response.startNanos() > Observed.LONGEST.toNanos();
	}

	/**
	 * The instances under load.
	 *
	 * @param sound instances that share their limits
	 * @param broken one that has neither deadline nor policy, and limits of its own
	 * @param rules the rules of their limits
	 */
	record Instances(List<App> sound, App broken, CrowdRules rules) {
	}

	/**
	 * The outcome.
	 *
	 * @param byInstance all responses
	 * @param begunNanos when the event was about to happen
	 * @param writableNanos when other clients of Redis could write again
	 * @param slowest how long the slowest decision took
	 * @param controlDelay how late the latest control was
	 * @param brokenPromises how many errors and late responses came from a limiter that
	 * is broken
	 * @param lost how many permits were reported to Redis and may not have arrived
	 */
	record Outcome(List<List<Response>> byInstance, long begunNanos, long writableNanos, Duration slowest,
			Duration controlDelay, long brokenPromises, long lost) {

		List<Response> responses() {
			return this.byInstance.stream().flatMap(List::stream).toList();
		}

		/**
		 * Responses of the sound instances that are errors, except the 503 of the rules
		 * that deny.
		 */
		long errors() {
			return responses().stream().filter(Crowd::isError).count();
		}

		/** The clients that were denied. */
		Set<String> denied(Mode.ModeKind mode) {
			return responses().stream()
				.filter((response) -> isDenied(response, mode))
				.map((response) -> response.request().client())
				.collect(Collectors.toSet());
		}

		/** How long the store was away for its other clients. */
		Duration gap() {
			return Duration.ofNanos(this.writableNanos - this.begunNanos);
		}

		/**
		 * The time from when other clients of Redis could write again until an instance
		 * first had a decision of Redis for a client that it had denied: the later of the
		 * two.
		 */
		Duration recovery(Mode.ModeKind mode) {
			return this.byInstance.stream()
				.map((responses) -> recovery(responses, mode))
				.max(Comparator.naturalOrder())
				.orElseThrow();
		}

		private Duration recovery(List<Response> responses, Mode.ModeKind mode) {
			Set<String> hit = responses.stream()
				.filter((response) -> isDenied(response, mode) && response.endNanos() < this.writableNanos)
				.map((response) -> response.request().client())
				.collect(Collectors.toSet());
			return Duration.ofNanos(responses.stream()
				.filter((response) -> response.request().path().equals(CrowdRules.deny(mode))
						&& response.status() != 503 && hit.contains(response.request().client())
						&& response.endNanos() > this.writableNanos)
				.mapToLong((response) -> response.endNanos() - this.writableNanos)
				.min()
				.orElseThrow());
		}

		/** The most requests of one address that were admitted. */
		long mostAdmitted(String path) {
			Map<String, Long> admitted = responses().stream()
				.filter((response) -> response.status() == 200 && response.request().path().equals(path))
				.collect(Collectors.groupingBy((response) -> response.request().client(), Collectors.counting()));
			return admitted.values().stream().mapToLong(Long::longValue).max().orElse(0);
		}

	}

}
