package dev.ratelimit.autoconfigure;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;

import dev.ratelimit.RateLimiter;
import dev.ratelimit.limiter.DecisionListener;
import dev.ratelimit.limiter.Fallback;
import dev.ratelimit.limiter.RequestLimiter;
import dev.ratelimit.limiter.RuleRateLimiter;
import dev.ratelimit.limiter.Subjects;
import dev.ratelimit.limiter.Waiter;
import dev.ratelimit.limiter.breaker.Breakers;
import dev.ratelimit.limiter.breaker.BreakingStore;
import dev.ratelimit.limiter.deny.DenyCache;
import dev.ratelimit.limiter.lease.Leases;
import dev.ratelimit.limiter.live.RulesInForce;
import dev.ratelimit.limiter.sync.Synchronizer;
import dev.ratelimit.limiter.watch.StoreListener;
import dev.ratelimit.limiter.watch.StoreTracer;
import dev.ratelimit.limiter.watch.StoreWatch;
import dev.ratelimit.limiter.watch.WatchedStore;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.method.annotated.AnnotatedBeans;
import dev.ratelimit.rule.live.RuleWarnings;
import dev.ratelimit.store.PermitIds;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.memory.MemoryStore;
import dev.ratelimit.store.redis.RedisStore;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for rate limiting: the rules, the store and the limiter, without
 * HTTP.
 */
@AutoConfiguration(after = DataRedisAutoConfiguration.class)
@EnableConfigurationProperties(RateLimitProperties.class)
@Import({ RuleSourceConfiguration.class, StoreConfiguration.Redis.class, StoreConfiguration.Memory.class,
		OutageConfiguration.class, SyncConfiguration.class, QueueCheck.class })
public final class RateLimitAutoConfiguration {

	/** The name of the clock's bean. */
	static final String CLOCK = "rateLimitClock";

	private static final String JEDIS_LENIENT_START = "jedis.cluster.initNoError";

	/**
	 * Lets an application start without Redis, wherever requests are counted: a Jedis
	 * driver on a cluster, which comes with this starter, would otherwise stop the start;
	 * it reconnects by itself either way. The limiter's own connections do not need this.
	 */
	@Bean
	static BeanFactoryPostProcessor rateLimitLenientJedisStart() {
		return (beanFactory) -> System.getProperties().putIfAbsent(JEDIS_LENIENT_START, "");
	}

	@Bean
	AnnotatedBeans rateLimitAnnotatedBeans(ConfigurableListableBeanFactory beanFactory) {
		return InvalidSettings.explain(() -> new AnnotatedBeans(beanFactory));
	}

	@Bean
	Subjects rateLimitSubjects(RateLimitProperties properties) {
		return new Subjects(properties.ipv6Prefix(), Objects.requireNonNullElse(properties.keySecret(), ""));
	}

	/**
	 * Tells the time to what counts in memory, and to the headers. Found by its name
	 * only: the application's own clocks stay what they are.
	 */
	@Bean(defaultCandidate = false)
	@ConditionalOnMissingBean(name = CLOCK)
	InstantSource rateLimitClock() {
		return InstantSource.system();
	}

	@Bean
	Leases rateLimitLeases(RateLimitStore store, Breakers breakers, ObjectProvider<StoreListener> storeListeners,
			ObjectProvider<StoreTracer> tracers, RateLimitProperties properties) {
		boolean memory = store instanceof MemoryStore;
		// A look into the memory of this instance is nothing that a trace has to show.
		StoreTracer tracer = memory ? StoreTracer.NONE : tracers.getIfAvailable(() -> StoreTracer.NONE);
		RateLimitStore watched = new WatchedStore(store, StoreListener.all(storeListeners.orderedStream().toList()),
				tracer, System::nanoTime);
		RateLimitStore guarded = (memory || !properties.breaker().enabled()) ? watched
				: new BreakingStore(watched, breakers);
		return new Leases(guarded, store.instances().isPresent(), System::nanoTime);
	}

	/** Any other store may run on a clock of its own, and costs no call over a wire. */
	@Bean
	DenyCache rateLimitDenyCache(RateLimitStore store, RateLimitProperties properties) {
		return (store instanceof RedisStore) ? new DenyCache(properties.denyCache()) : DenyCache.off();
	}

	@Bean
	RequestLimiter rateLimitRequestLimiter(RateLimitStore store, Leases leases, Synchronizer synchronizer,
			Fallback fallback, DenyCache denyCache, StoreWatch watch, ObjectProvider<DecisionListener> listeners,
			RateLimitProperties properties) {
		boolean memory = store instanceof MemoryStore;
		return new RequestLimiter(synchronizer.before(leases.store()), memory ? Source.MEMORY : Source.STORE, fallback,
				denyCache, new PermitIds(new SecureRandom()), watch,
				DecisionListener.all(listeners.orderedStream().toList()), System::nanoTime, properties.deadline());
	}

	@Bean
	Waiter rateLimitWaiter() {
		return new Waiter(System::nanoTime, LockSupport::parkNanos);
	}

	@Bean
	@ConditionalOnMissingBean(RateLimiter.class)
	RuleRateLimiter rateLimitLimiter(RulesInForce rules, RequestLimiter limiter, Subjects subjects, Waiter waiter,
			RateLimitProperties properties) {
		return new RuleRateLimiter(rules, limiter, subjects, waiter, properties.enabled());
	}

	@Bean
	RateLimitStartUp rateLimitStartUp(RulesInForce rules, RuleWarnings warnings, RateLimitStore store,
			RateLimitProperties properties) {
		return new RateLimitStartUp(rules.get().ruleSet(), warnings, store.describe(), properties.enabled());
	}

}
