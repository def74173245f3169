package dev.ratelimit.autoconfigure;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.fixture.DelegatingStore;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.Fallback;
import dev.ratelimit.limiter.MaintenanceScheduler;
import dev.ratelimit.limiter.rules.ActiveRules;
import dev.ratelimit.limiter.source.PermitSources;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.spi.RulesNotEnforceableException;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.StoreCapabilities;
import dev.ratelimit.store.StoreCapabilities.Scope;
import dev.ratelimit.store.StoreDiagnostics;
import dev.ratelimit.store.memory.MemoryStore;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class StoreCapabilitiesTests {

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class))
		.withPropertyValues("ratelimit.rules.r.thresholds=1/1s", "ratelimit.rules.r.paths=/r");

	private ApplicationContextRunner with(StoreCapabilities capabilities) {
		return this.application.withBean(RateLimitStore.class,
				() -> new DelegatingStore(new MemoryStore(new MovableClock())) {

					@Override
					public StoreCapabilities capabilities() {
						return capabilities;
					}

					@Override
					public String describe() {
						return "a map";
					}

				});
	}

	@Test
	void aRuleWhoseAlgorithmTheStoreCannotDecideStopsTheStart() {
		ApplicationContextRunner fixedOnly = with(
				StoreCapabilities.of("map", Scope.SHARED, Set.of(Algorithm.FIXED_WINDOW)));
		fixedOnly.run((context) -> assertThat(context).getFailure()
			.isInstanceOf(RulesNotEnforceableException.class)
			.hasMessageContaining("Rule 'r' has algorithm sliding-window-log, which a map cannot decide")
			.hasMessageContaining("Use one of [fixed-window]"));
		fixedOnly.withPropertyValues("ratelimit.rules.r.algorithm=fixed-window")
			.run((context) -> assertThat(context).hasNotFailed());
		fixedOnly.withPropertyValues("ratelimit.enabled=false").run((context) -> assertThat(context).hasNotFailed());
		fixedOnly.withPropertyValues("ratelimit.rules.r.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void nothingTakesThePlaceOfALocalStore() {
		with(StoreCapabilities.of("map", Scope.LOCAL, EnumSet.allOf(Algorithm.class))).run((context) -> {
			Fallback fallback = context.getBean(Fallback.class);
			assertThat(fallback.store()).isSameAs(context.getBean(RateLimitStore.class));
		});
		with(StoreCapabilities.of("map", Scope.SHARED, EnumSet.allOf(Algorithm.class))).run((context) -> {
			Fallback fallback = context.getBean(Fallback.class);
			assertThat(fallback.store()).isInstanceOf(MemoryStore.class);
		});
	}

	@Test
	void aStoreWithoutInstancesAndCounterDecidesLeasedAndSyncedRulesItself() {
		ApplicationContextRunner modes = with(StoreCapabilities.of("map", Scope.SHARED, EnumSet.allOf(Algorithm.class)))
			.withPropertyValues("ratelimit.rules.synced.mode=synced", "ratelimit.rules.synced.algorithm=fixed-window",
					"ratelimit.rules.synced.thresholds=9/1s", "ratelimit.rules.leased.mode=leased",
					"ratelimit.rules.leased.thresholds=9/1s");
		modes.run((context) -> {
			PermitSources sources = context.getBean(PermitSources.class);
			assertThat(context.getBean(ActiveRules.class).get().enabled()).hasSize(3)
				.flatExtracting(CompiledRule::limits)
				.allMatch((allowance) -> sources.find(allowance.limit()) == null);
		});
	}

	@Test
	void theHousekeepingOfAStoreRunsWhileTheApplicationDoes() {
		AtomicInteger runs = new AtomicInteger();
		with(new StoreCapabilities("map", Scope.SHARED, EnumSet.allOf(Algorithm.class), false, Optional.empty(),
				Optional.empty(), Optional.empty(), StoreDiagnostics.NONE, () -> 0, runs::incrementAndGet))
			.run((context) -> {
				MaintenanceScheduler started = context.getBean(MaintenanceScheduler.class);
				assertThat(started).isNotNull();
				Awaitility.await().atMost(Patience.LONG).until(() -> runs.get() > 1);
			});
	}

	@Test
	void aTypeIsATagAndAStoreDecidesSomething() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> StoreCapabilities.of("My store", Scope.LOCAL, EnumSet.allOf(Algorithm.class)))
			.withMessageContaining("not 'My store'");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> StoreCapabilities.of("map", Scope.LOCAL, EnumSet.noneOf(Algorithm.class)))
			.withMessageContaining("at least one");
	}

}
