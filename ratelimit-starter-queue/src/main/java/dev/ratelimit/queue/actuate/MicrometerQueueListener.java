package dev.ratelimit.queue.actuate;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.ratelimit.queue.Enqueue;
import dev.ratelimit.queue.QueueListener;
import dev.ratelimit.queue.QueueListener.HandlingResult;
import dev.ratelimit.queue.QueueStatusBoard;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.spi.MetersOfRules;
import dev.ratelimit.support.LogFields;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

/**
 * Measures the requests that rules have enqueued. Reading a meter makes no call, because
 * the instances that handle the queues read their sizes anyway.
 * <ul>
 * <li>{@code ratelimit.queue.items} {rule, state}: the number of queued requests and of
 * dead letters, over all instances, when this one last looked</li>
 * <li>{@code ratelimit.queue.handled} {rule, outcome}: the outcomes of the requests that
 * this instance handled</li>
 * <li>{@code ratelimit.queue.age} {rule}: the age of the requests when they were passed
 * to the handler</li>
 * </ul>
 */
public final class MicrometerQueueListener implements QueueListener {

	private final MetersOfRules<QueueMeters> meters;

	/**
	 * Register no meters yet.
	 * @param board what was last read of the queues
	 * @param registry the registry of the meters
	 */
	public MicrometerQueueListener(QueueStatusBoard board, MeterRegistry registry) {
		this.meters = new MetersOfRules<>(registry, (rule) -> rule.enforcement().onLimit() instanceof Enqueue,
				(rule) -> new QueueMeters(rule.id(), board, registry), QueueMeters::all);
	}

	/**
	 * Measure the queues of a rule set. Rules that stay continue to be measured; the
	 * meters of removed rules are removed.
	 * @param rules the rules in force
	 */
	public void follow(RuleSet rules) {
		this.meters.follow(rules);
	}

	@Override
	public void handedOver(String rule, Duration age) {
		QueueMeters meters = this.meters.find(rule);
		if (meters != null) {
			meters.age.record(age);
		}
	}

	@Override
	public void handled(String rule, HandlingResult outcome) {
		QueueMeters meters = this.meters.find(rule);
		if (meters != null) {
			Objects.requireNonNull(meters.handled.get(outcome)).increment();
		}
	}

	private static final class QueueMeters {

		private final List<Gauge> items;

		private final Map<HandlingResult, Counter> handled = new EnumMap<>(HandlingResult.class);

		private final Timer age;

		QueueMeters(String rule, QueueStatusBoard board, MeterRegistry registry) {
			this.items = List.of(items(rule, "queued", () -> board.queued(rule), registry),
					items(rule, "dead", () -> board.dead(rule), registry));
			for (HandlingResult outcome : HandlingResult.values()) {
				this.handled.put(outcome,
						Counter.builder("ratelimit.queue.handled")
							.description("What came of requests that were enqueued")
							.tag("rule", rule)
							.tag("outcome", LogFields.text(outcome))
							.register(registry));
			}
			this.age = Timer.builder("ratelimit.queue.age")
				.description("Time for which requests had been enqueued when they were handed over")
				.tag("rule", rule)
				.register(registry);
		}

		private static Gauge items(String rule, String state, Supplier<Number> number, MeterRegistry registry) {
			return MetersOfRules.gauge(registry, "ratelimit.queue.items", Tags.of("rule", rule, "state", state),
					"Requests that are enqueued, over all instances", number);
		}

		Stream<Meter> all() {
			return Stream.of(this.items.stream(), this.handled.values().stream(), Stream.of(this.age))
				.flatMap((meters) -> meters);
		}

	}

}
