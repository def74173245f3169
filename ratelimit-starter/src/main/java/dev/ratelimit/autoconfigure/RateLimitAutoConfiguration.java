package dev.ratelimit.autoconfigure;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.limiter.ClientInspector;
import dev.ratelimit.limiter.CompiledAllowance;
import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.DecisionListener;
import dev.ratelimit.limiter.DecisionPipeline;
import dev.ratelimit.limiter.Fallback;
import dev.ratelimit.limiter.MaintenanceScheduler;
import dev.ratelimit.limiter.RequestLimiter;
import dev.ratelimit.limiter.RuleRateLimiter;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.limiter.health.StoreListener;
import dev.ratelimit.limiter.health.StoreWatch;
import dev.ratelimit.limiter.instances.Instances;
import dev.ratelimit.limiter.lease.Leases;
import dev.ratelimit.limiter.refusal.DenyCache;
import dev.ratelimit.limiter.remote.Breakers;
import dev.ratelimit.limiter.remote.RemoteStore;
import dev.ratelimit.limiter.rules.ActiveRules;
import dev.ratelimit.limiter.rules.RuleSetValidator;
import dev.ratelimit.limiter.source.PermitSource;
import dev.ratelimit.limiter.source.PermitSources;
import dev.ratelimit.limiter.sync.SyncListener;
import dev.ratelimit.limiter.sync.Synchronizer;
import dev.ratelimit.method.annotated.AnnotatedBeans;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.spi.ModuleContext;
import dev.ratelimit.spi.RulesNotEnforceableException;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.PermitIds;
import dev.ratelimit.store.ProcessName;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.StoreCapabilities;
import dev.ratelimit.support.Listeners;
import dev.ratelimit.support.Waiter;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for rate limiting: the rules, the store and the limiter, without
 * HTTP. Beans that no rule in force needs are not created: the beans here are lazy, and
 * those of the other auto-configurations require a source from which a rule may come.
 */
@AutoConfiguration(afterName = "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration")
@EnableConfigurationProperties(RateLimitProperties.class)
@Lazy
@Import({ RuleSourceConfiguration.class, StoreConfiguration.RedisStoreConfiguration.class,
		StoreConfiguration.Memory.class, StoreConfiguration.Memcached.class, OutageConfiguration.class,
		ModuleConfiguration.class, UnenforcedRules.class })
public final class RateLimitAutoConfiguration {

	/** The name of the clock's bean. */
	static final String CLOCK = "rateLimitClock";

	/** The name of the bean of the rules in force, which is always there. */
	static final String RULES = "rateLimitStarterRules";

	/** The name of a bean that is there if there may be rules. */
	static final String POSSIBLE_RULES = ModuleContext.RULES;

	/** Lets threads wait for their turns. */
	static final Waiter WAITER = new Waiter(System::nanoTime, LockSupport::parkNanos);

	/** Counting needs the background tasks. */
	@Bean
	@Lazy(false)
	@Conditional(OnRules.class)
	SmartInitializingSingleton rateLimitStarterMaintenanceStart(ObjectProvider<MaintenanceScheduler> maintenance,
			RateLimitProperties properties) {
		return () -> {
			if (properties.enabled()) {
				MaintenanceScheduler ignored = maintenance.getObject();
			}
		};
	}

	@Bean
	AnnotatedBeans rateLimitStarterAnnotatedBeans(ConfigurableListableBeanFactory beanFactory) {
		return SettingErrors.explain(() -> new AnnotatedBeans(beanFactory));
	}

	@Bean
	RateLimitLifecycle rateLimitStarterLifecycle() {
		return new RateLimitLifecycle();
	}

	@Bean
	SubjectEncoder rateLimitStarterSubjects(RateLimitProperties properties, ActiveRules rules) {
		SubjectEncoder subjects = new SubjectEncoder(properties.ipv6Prefix(),
				Objects.requireNonNullElse(properties.keySecret(), ""));
		rules.follow((next) -> subjects::clearRecent);
		return subjects;
	}

	/**
	 * The clock of in-memory counting and of the headers. Injected by name only, so the
	 * application's own clocks are not affected.
	 */
	@Bean(defaultCandidate = false)
	@ConditionalOnMissingBean(name = CLOCK)
	InstantSource rateLimitClock() {
		return InstantSource.system();
	}

	@Bean
	AllListeners rateLimitStarterAllListeners(ObjectProvider<DecisionListener> decisions,
			ObjectProvider<StoreListener> store, ApplicationEventPublisher publisher) {
		return new AllListeners(decisions, store, publisher);
	}

	@Bean
	RemoteStore rateLimitStarterRemoteStore(RateLimitStore store, Breakers breakers, StoreWatch watch,
			AllListeners listeners, RateLimitProperties properties) {
		boolean local = store.capabilities().isLocal();
		RemoteStore remote = new RemoteStore(store, local ? Source.MEMORY : Source.STORE,
				(local || !properties.breaker().enabled()) ? Optional.empty() : Optional.of(breakers), watch,
				listeners.store(), System::nanoTime);
		// A look-up in the memory of this instance is not worth a trace.
		return local ? remote.untraced() : remote;
	}

	/** The store is not created if nothing is enforced. */
	@Bean
	RuleSetValidator rateLimitStarterAlgorithmsCheck(ObjectProvider<RateLimitStore> store,
			RateLimitProperties properties) {
		return (rules) -> {
			if (properties.enabled() && !rules.enabled().isEmpty()) {
				requireAlgorithms(rules, store.getObject());
			}
		};
	}

	private static void requireAlgorithms(CompiledRules rules, RateLimitStore store) {
		Set<Algorithm> known = store.capabilities().algorithms();
		for (CompiledRule rule : rules.enabled()) {
			Algorithm algorithm = rule.config().counting().algorithm();
			if (!known.contains(algorithm)) {
				throw new RulesNotEnforceableException(
						"Rule '%s' has algorithm %s, which %s cannot decide".formatted(rule.id(), algorithm.text(),
								store.describe()),
						"Use one of %s, or another store"
							.formatted(known.stream().map(Algorithm::text).sorted().toList()));
			}
		}
	}

	@Bean
	PermitIds rateLimitStarterPermitIds(RateLimitStore store) {
		return new PermitIds(new ProcessName(new SecureRandom(), store.capabilities().incarnation()));
	}

	/**
	 * Leases gain nothing in a store in which no other instance counts, and a store
	 * without a counter cannot synchronize. Every permit is acquired from it then. Closed
	 * after the background tasks, which tidy the sources.
	 */
	@Bean
	PermitSources rateLimitStarterPermitSources(RateLimitStore store, RemoteStore remote, PermitIds permitIds,
			Instances instances, AllListeners all, ObjectProvider<SyncListener> listeners, ActiveRules rules,
			RateLimitProperties properties, RateLimitLifecycle lifecycle) {
		StoreCapabilities capabilities = store.capabilities();
		Map<Mode.ModeKind, Supplier<PermitSource>> sources = new EnumMap<>(Mode.ModeKind.class);
		if (capabilities.instances().isPresent()) {
			sources.put(Mode.ModeKind.LEASED,
					() -> Leases.create(remote, permitIds, properties.deadline(), System::nanoTime));
		}
		if (!capabilities.isLocal() && capabilities.counter().isPresent()) {
			sources.put(Mode.ModeKind.SYNCED, () -> {
				Listeners<SyncListener> lost = new Listeners<>("sync listener", listeners.orderedStream().toList());
				return Synchronizer.create(store, instances::known, all.store(),
						(rule, permits) -> lost.report((listener) -> listener.lost(rule, permits)), System::nanoTime);
			});
		}
		PermitSources created = lifecycle.add(new PermitSources(sources));
		rules.follow((next) -> () -> created.follow(limits(next)));
		return created;
	}

	private static List<Limit> limits(CompiledRules rules) {
		return rules.enabled()
			.stream()
			.flatMap((rule) -> rule.limits().stream())
			.map(CompiledAllowance.CompiledLimited::limit)
			.toList();
	}

	@Bean
	DenyCache rateLimitStarterDenyCache(RateLimitStore store, RateLimitProperties properties, ActiveRules rules) {
		DenyCache cache = store.capabilities().exactWaits() ? new DenyCache(properties.denyCache()) : DenyCache.off();
		rules.follow((next) -> cache::clear);
		return cache;
	}

	@Bean
	RequestLimiter rateLimitStarterRequestLimiter(RemoteStore remote, PermitSources sources, Fallback fallback,
			DenyCache denyCache, PermitIds permitIds, AllListeners listeners, RateLimitProperties properties) {
		DecisionListener listener = listeners.decisions();
		DecisionPipeline pipeline = new DecisionPipeline(denyCache, sources, remote, fallback, permitIds, listener,
				System::nanoTime);
		return new RequestLimiter(pipeline, properties.deadline());
	}

	@Bean
	ClientInspector rateLimitStarterClients(RateLimitStore store, Fallback fallback, DenyCache denyCache,
			PermitSources sources, RateLimitProperties properties) {
		return new ClientInspector(store, fallback, denyCache, sources, properties.deadline());
	}

	@Bean
	@ConditionalOnMissingBean(RateLimiter.class)
	RuleRateLimiter rateLimitLimiter(ActiveRules rules, RequestLimiter limiter, SubjectEncoder subjects,
			ClientInspector clients, RateLimitProperties properties) {
		return new RuleRateLimiter(rules, limiter, subjects, clients, WAITER, properties.enabled());
	}

}
