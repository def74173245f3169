package dev.ratelimit.datacenters;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import dev.ratelimit.datacenters.Everywhere.EverywhereKind;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.rule.RuleWarning;
import dev.ratelimit.spi.ModuleRules;
import dev.ratelimit.spi.RulesNotEnforceableException;
import dev.ratelimit.store.Limit;

import org.springframework.beans.factory.ObjectProvider;

/**
 * Follows the rules whose scope is everywhere. Starts the exchange with other data
 * centres with the application instead of with its first request: until this one has
 * reported its configuration, the others exchange nothing with it.
 */
final class DataCenterRules implements ModuleRules {

	private final Optional<DataCenters> dataCenters;

	private final ObjectProvider<SharedPools> pools;

	private final Supplier<String> store;

	private boolean following;

	private boolean needed;

	/**
	 * Create it.
	 * @param dataCenters the data centres; empty if there is one
	 * @param pools the pools; there are none if the store cannot count for several data
	 * centres
	 * @param store describes the store
	 */
	DataCenterRules(Optional<DataCenters> dataCenters, ObjectProvider<SharedPools> pools, Supplier<String> store) {
		this.dataCenters = dataCenters;
		this.pools = pools;
		this.store = store;
	}

	@Override
	public List<EverywhereKind> choices() {
		return List.of(EverywhereKind.EVERYWHERE);
	}

	@Override
	public void check(List<RLConfig> rules) {
		Optional<RLConfig> everywhere = rules.stream()
			.filter((rule) -> rule.counting().scope() instanceof Everywhere)
			.findFirst();
		if (this.dataCenters.isPresent() && everywhere.isPresent() && this.pools.getIfAvailable() == null) {
			throw new RulesNotEnforceableException("Rule '%s' has scope everywhere, for which %s cannot count"
				.formatted(everywhere.get().id(), this.store.get()), "Use ratelimit.store redis, or scope datacenter");
		}
	}

	/**
	 * Waits for the other data centres at the start only: later it would hold up others.
	 */
	@Override
	public void follow(RuleSet rules, List<Limit> limits) {
		List<Limit> everywhere = limits.stream().filter((limit) -> limit.scope() instanceof Everywhere).toList();
		boolean starts = !this.following;
		this.following = true;
		if (this.needed || !everywhere.isEmpty()) {
			this.needed = true;
			this.pools.ifAvailable((shared) -> {
				shared.retain(everywhere);
				if (starts) {
					shared.awaitComparison();
				}
			});
		}
	}

	@Override
	public List<String> warnings(RLConfig rule, RuleWarning name) {
		return DataCenterShares.warnings(rule, name, this.dataCenters.map(DataCenters::size).orElse(1));
	}

}
