package dev.ratelimit.autoconfigure;

import dev.ratelimit.limiter.CompiledAllowance;
import dev.ratelimit.limiter.instances.Instances;
import dev.ratelimit.limiter.rules.RuleSetListener;
import dev.ratelimit.limiter.sync.SyncListener;
import dev.ratelimit.limiter.sync.Synchronizer;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.support.Listeners;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/**
 * The beans that count on this instance and synchronize with the store at intervals.
 */
@Lazy
@Configuration(proxyBeanMethods = false)
class SyncConfiguration {

	/**
	 * If the store is not shared, or cannot synchronize, every permit is acquired from
	 * the store.
	 */
	@Bean
	Synchronizer rateLimitStarterSynchronizer(RateLimitStore store, Instances instances, AllListeners all,
			ObjectProvider<SyncListener> listeners, RateLimitLifecycle lifecycle) {
		Listeners<SyncListener> lost = new Listeners<>("sync listener", listeners.orderedStream().toList());
		return lifecycle.add(Synchronizer.create(store, instances::known, all.store(),
				(rule, permits) -> lost.report((listener) -> listener.lost(rule, permits)), System::nanoTime));
	}

	@Bean
	RuleSetListener rateLimitStarterSynchronizerFollower(Synchronizer synchronizer) {
		return (rules) -> () -> synchronizer.retain(rules.enabled()
			.stream()
			.flatMap((rule) -> rule.limits().stream())
			.map(CompiledAllowance.CompiledLimited::limit)
			.toList());
	}

}
