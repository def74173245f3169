package dev.ratelimit.datacenters;

import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.RuleWarning;

/**
 * Finds limits that data centres cannot share well.
 */
final class DataCenterShares {

	/** Within fewer exchanges, a data centre that is alone may not get the whole pool. */
	private static final int EXCHANGES = 10;

	private DataCenterShares() {
	}

	static List<String> warnings(RLConfig rule, RuleWarning name, int dataCenters) {
		return (switch (name) {
			case NO_PEERS -> withoutPeers(rule, dataCenters);
			case NO_SHARE -> withoutShare(rule, dataCenters);
			case SHORT_WINDOW -> shortWindows(rule, dataCenters);
			default -> Stream.<String>empty();
		}).toList();
	}

	/** Warns where each data centre admits the whole limit. */
	private static Stream<String> withoutPeers(RLConfig rule, int dataCenters) {
		return (dataCenters == 1 && rule.counting().scope() instanceof Everywhere)
				? Stream.of(("Rule '%s' has scope everywhere, but no other data centre is listed under "
						+ "ratelimit.datacenter.peers, so it counts in this one only.")
					.formatted(rule.id()))
				: Stream.empty();
	}

	/** Warns of thresholds of which a data centre gets nothing. */
	private static Stream<String> withoutShare(RLConfig rule, int dataCenters) {
		return everywhere(rule, dataCenters).filter((threshold) -> {
			PoolTerms last = PoolTerms.of((Everywhere) rule.counting().scope(), threshold.threshold(), dataCenters,
					dataCenters - 1);
			return last.share() == 0 && last.pool() == 0;
		})
			.map((threshold) -> ("Rule '%s' divides %s between %d data centres, and the last of them by name admit nothing. "
					+ "Raise the threshold to %d or more, or use scope datacenter.")
				.formatted(rule.id(), threshold, dataCenters, dataCenters));
	}

	/** Warns of windows that are over before much is exchanged. */
	private static Stream<String> shortWindows(RLConfig rule, int dataCenters) {
		return everywhere(rule, dataCenters)
			.filter((threshold) -> threshold.windowLength()
				.compareTo(((Everywhere) rule.counting().scope()).exchangeInterval().multipliedBy(EXCHANGES)) < 0)
			.map((threshold) -> ("Rule '%s' has %s, a window of less than %d exchange intervals: a data centre that is alone "
					+ "may not get the whole pool. Use a longer window, or a shorter exchange-interval.")
				.formatted(rule.id(), threshold, EXCHANGES));
	}

	private static Stream<RLThreshold> everywhere(RLConfig rule, int dataCenters) {
		return (dataCenters > 1 && rule.counting().scope() instanceof Everywhere)
				? rule.allowances().limits().values().stream().flatMap(List::stream).distinct() : Stream.empty();
	}

}
