package dev.ratelimit.limiter;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;

import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.KeyOverride;
import dev.ratelimit.rule.KeySource;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Subject;
import org.jspecify.annotations.Nullable;

/**
 * The allowances of single customers. Finding one costs one map look-up. If the key
 * contains an address, it costs one per prefix length in use. The number of overrides
 * does not matter. Tested by {@code CompiledRuleTests}.
 */
final class Overrides {

	private final int ipv6Prefix;

	private final int addressPart;

	/** Addresses are stored as ranges. */
	private final Map<List<String>, CompiledAllowance> byKey = new HashMap<>();

	/** Made when it is first needed: each subject costs a hash. */
	private volatile @Nullable Map<Subject, CompiledAllowance> bySubject;

	private final SortedSet<Integer> ipv4Prefixes = new TreeSet<>(Comparator.reverseOrder());

	private final SortedSet<Integer> ipv6Prefixes = new TreeSet<>(Comparator.reverseOrder());

	/**
	 * Compile the overrides of a rule.
	 * @param rule the rule
	 * @param ipv6Prefix how many bits of an IPv6 address identify a client
	 * @throws InvalidRuleException if an override for {@code ip} is not an address or
	 * range, or names only a part of what is counted as one client
	 */
	Overrides(RLConfig rule, int ipv6Prefix) {
		this.ipv6Prefix = ipv6Prefix;
		List<KeySource> sources = rule.key().sources();
		List<KeyOverride> overrides = rule.allowances().overrides();
		this.addressPart = sources.stream().map(KeySource::kind).toList().indexOf(KeySource.Kind.IP);
		// Of an enqueued request only the subject is stored. It does not show the ranges
		// that its address is in, unless it is the address alone.
		boolean namesClients = rule.enforcement().onLimit().isHandledLater() && sources.size() > 1;
		for (int i = 0; i < overrides.size(); i++) {
			KeyOverride override = overrides.get(i);
			String property = "rules." + rule.id() + ".overrides[" + i + "].key";
			List<String> key = (this.addressPart < 0) ? override.key() : ranged(property, override.key(), namesClients);
			if (this.byKey.put(key, CompiledAllowance.of(rule, override.allowance(), Limit::ofOverride)) != null) {
				throw new InvalidRuleException(property, override.shown(sources),
						"has an override already, in another spelling", "Keep one override per customer");
			}
		}
	}

	private List<String> ranged(String property, List<String> key, boolean namesClients) {
		String text = key.get(this.addressPart);
		IpRange range = IpRange.parse(property, text);
		if (range.isIpv6() && range.prefixBits() > this.ipv6Prefix) {
			throw new InvalidRuleException(property, text,
					"is only a part of what ratelimit.ipv6-prefix counts as one client, a /" + this.ipv6Prefix,
					"Write " + new IpRange(range.network(), this.ipv6Prefix)
							+ " or a wider range, or raise ratelimit.ipv6-prefix to " + range.prefixBits());
		}
		int clientBits = range.isIpv6() ? this.ipv6Prefix : 32;
		if (namesClients && range.prefixBits() < clientBits) {
			throw new InvalidRuleException(property, text,
					"names a range of addresses beside another key source, which does not go with on-limit enqueue: a "
							+ "request that was enqueued would have the limit of the rule",
					"Name single clients (/" + clientBits + "), or use on-limit reject or delay");
		}
		(range.isIpv6() ? this.ipv6Prefixes : this.ipv4Prefixes).add(range.prefixBits());
		return withAddress(key, range);
	}

	private List<String> withAddress(List<String> key, IpRange range) {
		List<String> ranged = new ArrayList<>(key);
		ranged.set(this.addressPart, range.toString());
		return ranged;
	}

	/**
	 * Find the allowance of a client.
	 * @param key one value per key source of the rule
	 * @return the allowance of the override that names the client; of several ranges the
	 * narrowest; empty if no override does
	 */
	Optional<CompiledAllowance> find(List<String> key) {
		if (this.byKey.isEmpty()) {
			return Optional.empty();
		}
		return (this.addressPart < 0) ? Optional.ofNullable(this.byKey.get(key))
				: IpAddress.parse(key.get(this.addressPart)).flatMap((address) -> find(key, address));
	}

	private Optional<CompiledAllowance> find(List<String> key, IpAddress address) {
		for (int prefixBits : address.isIpv6() ? this.ipv6Prefixes : this.ipv4Prefixes) {
			CompiledAllowance allowance = this.byKey.get(withAddress(key, new IpRange(address, prefixBits)));
			if (allowance != null) {
				return Optional.of(allowance);
			}
		}
		return Optional.empty();
	}

	/**
	 * Find the allowance of a client of which only the subject is known.
	 * @param subject the client
	 * @param encoding makes the subject of a key
	 * @return the allowance of the override that names the client, or a range whose first
	 * client it is
	 */
	Optional<CompiledAllowance> find(Subject subject, Function<List<String>, Subject> encoding) {
		Map<Subject, CompiledAllowance> known = this.bySubject;
		if (known == null) {
			known = new HashMap<>();
			for (List<String> key : this.byKey.keySet()) {
				List<String> client = firstClient(key);
				known.put(encoding.apply(client), find(client).orElseThrow());
			}
			this.bySubject = known;
		}
		return Optional.ofNullable(known.get(subject));
	}

	private List<String> firstClient(List<String> key) {
		if (this.addressPart < 0) {
			return key;
		}
		List<String> client = new ArrayList<>(key);
		client.set(this.addressPart, key.get(this.addressPart).substring(0, key.get(this.addressPart).indexOf('/')));
		return client;
	}

	/** The allowances of all overrides, in no order. */
	Collection<CompiledAllowance> allowances() {
		return this.byKey.values();
	}

}
