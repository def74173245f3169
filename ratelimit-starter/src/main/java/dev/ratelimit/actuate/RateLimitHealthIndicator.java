package dev.ratelimit.actuate;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import dev.ratelimit.limiter.health.StoreOutage;
import dev.ratelimit.limiter.health.StoreWatch;
import dev.ratelimit.limiter.instances.Instances;
import dev.ratelimit.limiter.remote.Breakers;
import dev.ratelimit.spi.HealthDetails;
import dev.ratelimit.support.LogFields;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Reports whether requests are counted in the store. The application continues without
 * its store as each rule specifies, so an outage is only a detail. The status is down
 * only if the store refuses the limiter's credentials or permissions, because that does
 * not recover by itself. The warnings of the start are a detail too. Makes no calls.
 */
public final class RateLimitHealthIndicator extends AbstractHealthIndicator {

	private final String store;

	private final StoreWatch watch;

	private final Breakers breakers;

	private final Instances instances;

	private final Supplier<List<String>> warnings;

	private final Supplier<List<HealthDetails>> details;

	/**
	 * Create the indicator.
	 * @param store the name of the store
	 * @param watch reports failures of the store
	 * @param breakers the circuit breakers of the store
	 * @param instances reports which instances share the limits
	 * @param warnings the warnings about rules and store
	 * @param details what modules add
	 */
	public RateLimitHealthIndicator(String store, StoreWatch watch, Breakers breakers, Instances instances,
			Supplier<List<String>> warnings, Supplier<List<HealthDetails>> details) {
		super("The health of the rate limiter is unknown");
		this.store = store;
		this.watch = watch;
		this.breakers = breakers;
		this.instances = instances;
		this.warnings = warnings;
		this.details = details;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		Optional<StoreOutage> outage = this.watch.outage();
		builder.up().withDetail("store", this.store);
		builder.withDetail("state", outage.isPresent() ? "degraded" : "answering");
		outage.ifPresent((now) -> {
			if (now.notPermitted()) {
				builder.down();
			}
			builder.withDetail("reason", LogFields.text(now.reason()))
				.withDetail("unanswered", now.unanswered())
				.withDetail("openCircuits", this.breakers.open() + " of " + this.breakers.known());
			this.watch.lastFailure().ifPresent((failure) -> builder.withDetail("failure", failure));
		});
		this.instances.known().ifPresent((share) -> builder.withDetail("instances", share.instances()));
		this.details.get().forEach((module) -> builder.withDetails(module.details()));
		List<String> odd = this.warnings.get();
		if (!odd.isEmpty()) {
			builder.withDetail("warnings", odd);
		}
	}

}
