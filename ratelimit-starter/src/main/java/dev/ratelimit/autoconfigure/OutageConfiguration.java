package dev.ratelimit.autoconfigure;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import dev.ratelimit.limiter.Fallback;
import dev.ratelimit.limiter.MaintenanceScheduler;
import dev.ratelimit.limiter.health.StoreConcerns;
import dev.ratelimit.limiter.health.StoreWatch;
import dev.ratelimit.limiter.instances.Instances;
import dev.ratelimit.limiter.remote.Breakers;
import dev.ratelimit.limiter.rules.ActiveRules;
import dev.ratelimit.limiter.source.PermitSources;
import dev.ratelimit.spi.LimitScope;
import dev.ratelimit.store.ProcessName;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.memory.MemoryStore;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/**
 * The beans that handle outages of the store.
 */
@Lazy
@Configuration(proxyBeanMethods = false)
class OutageConfiguration {

	@Bean
	Breakers rateLimitStarterBreakers(RateLimitProperties properties) {
		return new Breakers(properties.breaker().failures(), properties.breaker().openDuration(), properties.deadline(),
				System::nanoTime);
	}

	@Bean
	StoreWatch rateLimitStarterStoreWatch(RateLimitStore store, AllListeners listeners) {
		return new StoreWatch(store.describe(), store.capabilities().diagnostics().lastFailure(), listeners.store(),
				listeners::publish, System::nanoTime);
	}

	@Bean
	StoreConcerns rateLimitStarterStoreConcerns(RateLimitStore store) {
		return new StoreConcerns(store.capabilities().diagnostics().concerns(), System::nanoTime);
	}

	@Bean
	Instances rateLimitStarterInstances(RateLimitStore store, RateLimitProperties properties) {
		ProcessName name = new ProcessName(new SecureRandom(), store.capabilities().incarnation());
		return new Instances(store.capabilities().instances(), properties.fixedInstances(),
				() -> HexFormat.of().toHexDigits(name.bits()));
	}

	@Bean
	Fallback rateLimitStarterFallback(RateLimitStore store, Instances instances,
			@Qualifier(RateLimitAutoConfiguration.CLOCK) InstantSource clock, ObjectProvider<LimitScope> scopes) {
		if (store.capabilities().isLocal()) {
			return Fallback.alone(store);
		}
		LimitScope scope = scopes.getIfAvailable();
		return new Fallback(new MemoryStore(clock, SharedBucketsLog::warn),
				(scope != null) ? () -> instances.share().within(scope) : instances::share);
	}

	/**
	 * Stops before the store does, because it deregisters this instance from the store.
	 */
	@Bean
	MaintenanceScheduler rateLimitStarterMaintenance(RateLimitStore store, Fallback fallback, Instances instances,
			StoreWatch watch, StoreConcerns concerns, Breakers breakers, PermitSources sources, ActiveRules rules,
			RateLimitProperties properties, RateLimitLifecycle lifecycle) {
		BooleanSupplier limits = () -> properties.enabled() && !rules.get().enabled().isEmpty();
		// Lets an instance detect its recovery even if it receives no requests because
		// its health is down.
		Runnable beat = () -> {
			if (limits.getAsBoolean() && instances.beat()) {
				watch.answered();
			}
		};
		Runnable concernsRefresh = () -> {
			if (limits.getAsBoolean()) {
				concerns.refresh();
			}
		};
		Runnable sweep = () -> Stream.of(store, fallback.store())
			.distinct()
			.forEach((each) -> each.capabilities().housekeeping().run());
		return lifecycle.add(MaintenanceScheduler.start(Instances.BEAT,
				List.of(watch::report, breakers::tidy, sweep, sources::tidy, beat, concernsRefresh), () -> {
					if (limits.getAsBoolean()) {
						instances.leave();
					}
				}));
	}

}
