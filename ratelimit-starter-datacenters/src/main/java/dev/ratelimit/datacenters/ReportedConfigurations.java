package dev.ratelimit.datacenters;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import dev.ratelimit.spi.RedisScripts;
import dev.ratelimit.spi.RedisScripts.Invocation;
import dev.ratelimit.spi.RedisScripts.LoadedScript;

/**
 * The configurations of the data centres, as each reports its own to its Redis and to
 * those of the others. Nothing is exchanged with a data centre that has reported none in
 * its own Redis, because it may count the same clients under other keys. Tested by
 * {@code SharedPoolsTests}.
 */
final class ReportedConfigurations {

	/**
	 * Long, because the Redis of a data centre acknowledges while its instances are
	 * stopped.
	 */
	private static final Duration FORGET_AFTER = Duration.ofDays(30);

	/**
	 * Every instance reports once a second, so a data centre that takes part is newer.
	 */
	private static final Duration OLDEST_IN_USE = Duration.ofSeconds(10);

	/** Of messages and of what is stored; data centres with different ones differ. */
	private static final String VERSION = " v1";

	/** Per data centre in the reply. */
	private static final int PARTS = 4;

	private final DataCenters dataCenters;

	private final String configuration;

	private final LoadedScript script;

	private final byte[] key;

	/**
	 * Create the configurations.
	 * @param dataCenters the data centres as they are configured here
	 * @param keyPrefix the start of every key
	 * @param keyHash a hash of what keys are made with, which differs where they differ
	 * @param script stores and returns them
	 */
	ReportedConfigurations(DataCenters dataCenters, String keyPrefix, String keyHash, LoadedScript script) {
		this.dataCenters = dataCenters;
		this.configuration = names() + " " + keyHash + VERSION;
		this.script = script;
		this.key = (keyPrefix + ":{datacenters}").getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Report the own configuration to a Redis, and read those that it stores. Waits for
	 * the Redis.
	 * @param redis the Redis
	 * @param isHome whether it is the Redis of this data centre
	 * @param maxWait how long to wait
	 * @return the configurations by data centre; empty if it did not reply
	 */
	Optional<Map<String, ReportedConfiguration>> report(RedisScripts redis, boolean isHome, Duration maxWait) {
		List<byte[]> arguments = List.of(PooledLimits.ascii(this.dataCenters.name()),
				PooledLimits.ascii(this.configuration), PooledLimits.number(isHome ? 1 : 0),
				PooledLimits.number(FORGET_AFTER.toMillis()));
		return redis.run(new Invocation(this.script, List.of(this.key), arguments), maxWait)
			.list()
			.map(ReportedConfigurations::reported);
	}

	private static Map<String, ReportedConfiguration> reported(List<?> parts) {
		Map<String, ReportedConfiguration> reported = new HashMap<>();
		for (int i = 0; i + PARTS <= parts.size(); i += PARTS) {
			if (parts.get(i + 2) instanceof Long age && parts.get(i + 3) instanceof Long ageAtHome) {
				reported.put(text(parts.get(i)), new ReportedConfiguration(text(parts.get(i + 1)), isNow(age),
						ageAtHome >= 0, isNow(ageAtHome)));
			}
		}
		return reported;
	}

	private static boolean isNow(long micros) {
		return micros >= 0 && micros < OLDEST_IN_USE.toNanos() / 1000;
	}

	private static String text(Object part) {
		return (part instanceof byte[] bytes) ? new String(bytes, StandardCharsets.UTF_8) : String.valueOf(part);
	}

	/**
	 * Compare the configuration of a data centre with the own one.
	 * @param peer its name
	 * @param here what the Redis here stores, also of data centres that are not listed
	 * @param there what its own Redis stores; empty if that did not reply
	 * @param before what was known before
	 */
	Comparison compare(String peer, Map<String, ReportedConfiguration> here,
			Optional<Map<String, ReportedConfiguration>> there, Comparison before) {
		Optional<String> difference = wrongRedis(peer, here, there).or(() -> otherConfiguration(peer, here, there))
			.or(() -> unlisted(here))
			.map((text) -> text + ". Until then, nothing is taken from pools");
		if (there.isEmpty()) {
			return new Comparison(difference, before.isExchanged(), before.isReported());
		}
		Optional<ReportedConfiguration> itsOwn = Optional.ofNullable(there.get().get(peer))
			.filter(ReportedConfiguration::wasAtHome);
		return new Comparison(difference,
				itsOwn.filter((reported) -> reported.configuration().equals(this.configuration)).isPresent(),
				itsOwn.isPresent());
	}

	/**
	 * What one Redis has acknowledged is not stored in another, and in one Redis two data
	 * centres would count under the same keys.
	 */
	private Optional<String> wrongRedis(String peer, Map<String, ReportedConfiguration> here,
			Optional<Map<String, ReportedConfiguration>> there) {
		if (atHome(here).anyMatch(peer::equals)) {
			return Optional.of("Data centre %s has the same Redis as %s. Give each a Redis of its own".formatted(peer,
					this.dataCenters.name()));
		}
		return there.stream()
			.flatMap(ReportedConfigurations::atHome)
			.filter((name) -> !name.equals(peer))
			.sorted()
			.findFirst()
			.map((name) -> "The Redis at ratelimit.datacenter.peers.%s is the one of data centre %s. Set its own address"
				.formatted(peer, name));
	}

	private static Stream<String> atHome(Map<String, ReportedConfiguration> reported) {
		return reported.entrySet().stream().filter((each) -> each.getValue().isNowAtHome()).map(Map.Entry::getKey);
	}

	/** A report that is not in use any more does not count. */
	private Optional<String> otherConfiguration(String peer, Map<String, ReportedConfiguration> here,
			Optional<Map<String, ReportedConfiguration>> there) {
		return there.map((all) -> all.get(peer))
			.or(() -> Optional.ofNullable(here.get(peer)))
			.filter(ReportedConfiguration::isInUse)
			.map(ReportedConfiguration::configuration)
			.filter((other) -> !other.equals(this.configuration))
			.map((other) -> difference(peer, other));
	}

	private String difference(String peer, String other) {
		String names = other.substring(0, Math.max(0, other.indexOf(' ')));
		if (!names.equals(names())) {
			return "Data centre %s takes part with %s, and %s with %s. Configure the same names in all".formatted(peer,
					names, this.dataCenters.name(), names());
		}
		return other.endsWith(VERSION)
				? ("Data centre %s has another ratelimit.key-secret or ratelimit.ipv6-prefix than "
						+ "%s, so it counts the same clients under other keys. Configure the same in all")
					.formatted(peer, this.dataCenters.name())
				: "Data centre %s has another version of the limiter, which exchanges in another way. Upgrade all"
					.formatted(peer);
	}

	private Optional<String> unlisted(Map<String, ReportedConfiguration> here) {
		return here.entrySet()
			.stream()
			.filter((each) -> each.getValue().isInUse() && !this.dataCenters.all().contains(each.getKey()))
			.map(Map.Entry::getKey)
			.sorted()
			.findFirst()
			.map((name) -> "Data centre %s takes part, but is not among ratelimit.datacenter.peers of %s. List it, and restart"
				.formatted(name, this.dataCenters.name()));
	}

	private String names() {
		return String.join(",", this.dataCenters.all());
	}

	/**
	 * How the configuration of another data centre compares with the own one.
	 *
	 * @param difference why nothing may be taken from the pools; empty if nothing is
	 * known that speaks against it
	 * @param isExchanged whether the Redis of that data centre may receive messages
	 * @param isReported whether that data centre is known to use its Redis; true if that
	 * is not known
	 */
	record Comparison(Optional<String> difference, boolean isExchanged, boolean isReported) {

		/** Before the first one. */
		static final Comparison NONE = new Comparison(Optional.empty(), false, true);

	}

	/**
	 * A configuration as it was reported.
	 *
	 * @param configuration the configuration
	 * @param isInUse whether it was reported in the last seconds
	 * @param wasAtHome whether that data centre has reported that it is its own Redis
	 * @param isNowAtHome whether it has in the last seconds
	 */
	record ReportedConfiguration(String configuration, boolean isInUse, boolean wasAtHome, boolean isNowAtHome) {
	}

}
