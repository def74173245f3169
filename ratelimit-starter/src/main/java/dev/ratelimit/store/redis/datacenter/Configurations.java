package dev.ratelimit.store.redis.datacenter;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.store.redis.resp.Script;
import dev.ratelimit.store.redis.resp.ScriptCall;
import dev.ratelimit.store.wire.CallRunner;
import dev.ratelimit.store.wire.NodeCall;

/**
 * How all data centres are configured. Each tells it in its own Redis and in those of the
 * others. Nothing is exchanged with one that has not reported it, as it may count the
 * same clients under other keys.
 */
final class Configurations {

	/**
	 * Long, so that a data centre whose instances are all stopped does not take the
	 * acknowledgements of its Redis with it.
	 */
	private static final Duration FORGET_AFTER = Duration.ofDays(1);

	private static final Duration LATELY = Duration.ofSeconds(10);

	/** Per data centre in the reply. */
	private static final int PARTS = 3;

	private final DataCenters dataCenters;

	private final String configuration;

	private final Script script;

	private final byte[] key;

	/**
	 * Create the configurations.
	 * @param dataCenters the data centres as they are configured here
	 * @param keyPrefix the start of every key
	 * @param keyHash tells two prefixes or secrets apart, and neither of them
	 * @param script stores and returns them
	 */
	Configurations(DataCenters dataCenters, String keyPrefix, String keyHash, Script script) {
		this.dataCenters = dataCenters;
		this.configuration = String.join(",", dataCenters.all()) + " " + keyHash;
		this.script = script;
		this.key = (keyPrefix + ":{datacenters}").getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Tell the own configuration in a Redis, and read those of the others there. Waits
	 * for the Redis.
	 * @return the configurations by names; empty if it did not reply
	 */
	Optional<Map<String, Told>> tell(CallRunner redis, Duration maxWait) {
		ScriptCall call = new ScriptCall(
				this.script, this.key, List.of(PooledLimit.ascii(this.dataCenters.name()),
						PooledLimit.ascii(this.configuration), PooledLimit.number(FORGET_AFTER.toMillis())),
				NodeCall.Afterwards.NOTHING);
		redis.run(List.of(call), maxWait);
		if (!(call.outcome() instanceof NodeCall.Replied replied) || !(replied.reply() instanceof List<?> parts)) {
			return Optional.empty();
		}
		Map<String, Told> told = new HashMap<>();
		for (int i = 0; i + 2 < parts.size(); i += PARTS) {
			boolean lately = parts.get(i + 2) instanceof Long micros && micros < LATELY.toNanos() / 1000;
			told.put(text(parts.get(i)), new Told(text(parts.get(i + 1)), lately));
		}
		return Optional.of(told);
	}

	private static String text(Object part) {
		return (part instanceof byte[] bytes) ? new String(bytes, StandardCharsets.UTF_8) : String.valueOf(part);
	}

	/**
	 * Compare a data centre with this one. What it has reported long ago does not count,
	 * as it may have been removed, or configured anew.
	 * @param peer its name
	 * @param here what was reported in the Redis here, where those that are not listed
	 * tell it too
	 * @param there what was reported in its own Redis; empty if that did not reply
	 * @return a sentence about the difference; empty if there is none
	 */
	Optional<String> difference(String peer, Map<String, Told> here, Optional<Map<String, Told>> there) {
		Optional<Told> told = there.map((all) -> all.get(peer))
			.or(() -> Optional.ofNullable(here.get(peer)))
			.filter(Told::lately);
		return told.flatMap((each) -> difference(peer, each.configuration())).or(() -> unlisted(peer, here));
	}

	/** Reported with the first of the others. */
	private Optional<String> unlisted(String peer, Map<String, Told> here) {
		if (!peer.equals(this.dataCenters.peers().get(0))) {
			return Optional.empty();
		}
		return here.entrySet()
			.stream()
			.filter((each) -> each.getValue().lately() && !this.dataCenters.all().contains(each.getKey()))
			.map(Map.Entry::getKey)
			.sorted()
			.findFirst()
			.map((name) -> "Data centre %s takes part, but is not among ratelimit.datacenter.peers of %s. List it, and restart"
				.formatted(name, this.dataCenters.name()));
	}

	private Optional<String> difference(String name, String other) {
		if (other.equals(this.configuration)) {
			return Optional.empty();
		}
		String names = other.substring(0, Math.max(0, other.indexOf(' ')));
		if (!names.equals(String.join(",", this.dataCenters.all()))) {
			return Optional.of("Data centre %s takes part with %s, and %s with %s. Configure the same names in all"
				.formatted(name, names, this.dataCenters.name(), String.join(",", this.dataCenters.all())));
		}
		return Optional
			.of(("Data centre %s has another ratelimit.key-prefix or ratelimit.key-secret than %s, or another "
					+ "ratelimit.ipv6-prefix, so it counts the same clients under other keys. Configure the same in all")
				.formatted(name, this.dataCenters.name()));
	}

	/** Whether a data centre has reported that it is configured as this one. */
	boolean isSame(Map<String, Told> told, String name) {
		return Optional.ofNullable(told.get(name))
			.filter((each) -> each.configuration().equals(this.configuration))
			.isPresent();
	}

	/**
	 * A configuration as it was reported.
	 *
	 * @param configuration the configuration
	 * @param lately whether it was reported just now; every instance tells it once a
	 * second
	 */
	record Told(String configuration, boolean lately) {
	}

}
