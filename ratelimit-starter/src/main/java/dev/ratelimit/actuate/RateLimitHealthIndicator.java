package dev.ratelimit.actuate;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import dev.ratelimit.limiter.outage.Instances;
import dev.ratelimit.limiter.remote.Breakers;
import dev.ratelimit.limiter.remote.StoreFailures;
import dev.ratelimit.limiter.remote.StoreWatch;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Tells whether requests are counted where they should be. The application goes on
 * without its store, each rule as it says, so that trouble is a detail; it is down only
 * where the store refuses the credentials or rights of the limiter, which does not pass
 * by itself. What the start has warned of is a detail too. Calls nobody.
 */
public final class RateLimitHealthIndicator extends AbstractHealthIndicator {

	private final String store;

	private final StoreWatch watch;

	private final Breakers breakers;

	private final Instances instances;

	private final Supplier<List<String>> warnings;

	private final LongSupplier deadLetters;

	/**
	 * Create the indicator.
	 * @param store the name of the store
	 * @param watch knows of its trouble
	 * @param breakers the circuit breakers of the store
	 * @param instances knows who shares the limits
	 * @param warnings what is odd about rules and store
	 * @param deadLetters how many requests were given up that had been kept
	 */
	public RateLimitHealthIndicator(String store, StoreWatch watch, Breakers breakers, Instances instances,
			Supplier<List<String>> warnings, LongSupplier deadLetters) {
		super("The health of the rate limiter cannot be told");
		this.store = store;
		this.watch = watch;
		this.breakers = breakers;
		this.instances = instances;
		this.warnings = warnings;
		this.deadLetters = deadLetters;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		Optional<StoreFailures> failures = this.watch.failures();
		builder.up().withDetail("store", this.store);
		builder.withDetail("state", failures.isPresent() ? "degraded" : "answering");
		failures.ifPresent((now) -> {
			if (now.notPermitted()) {
				builder.down();
			}
			builder.withDetail("reason", now.reason().name().toLowerCase(Locale.ROOT))
				.withDetail("unanswered", now.unanswered())
				.withDetail("openCircuits", this.breakers.open() + " of " + this.breakers.known());
		});
		this.instances.known().ifPresent((share) -> builder.withDetail("instances", share.instances()));
		long dead = this.deadLetters.getAsLong();
		if (dead > 0) {
			builder.withDetail("deadLetters", dead);
		}
		List<String> odd = this.warnings.get();
		if (!odd.isEmpty()) {
			builder.withDetail("warnings", odd);
		}
	}

}
