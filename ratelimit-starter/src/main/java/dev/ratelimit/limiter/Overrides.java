package dev.ratelimit.limiter;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.KeyOverride;
import dev.ratelimit.rule.KeySource;
import dev.ratelimit.rule.RLConfig;

/**
 * What single customers get. A key without addresses costs one map look-up; addresses are
 * looked for among the ranges, the narrowest first.
 */
final class Overrides {

	private final int addressPart;

	private final Map<List<String>, CompiledAllowance> exact = new HashMap<>();

	private final List<Ranged> ranges = new ArrayList<>();

	/**
	 * Compile the overrides of a rule.
	 * @param rule the rule
	 * @throws InvalidRuleException if one for {@code ip} is no address or range
	 */
	Overrides(RLConfig rule) {
		this.addressPart = rule.key().stream().map(KeySource::kind).toList().indexOf(KeySource.Kind.IP);
		for (int i = 0; i < rule.overrides().size(); i++) {
			KeyOverride override = rule.overrides().get(i);
			CompiledAllowance allowance = CompiledAllowance.of(rule, override.allowance());
			if (this.addressPart < 0) {
				this.exact.put(override.key(), allowance);
			}
			else {
				String property = "rules." + rule.id() + ".overrides[" + i + "].key";
				this.ranges.add(new Ranged(override.key(),
						IpRange.parse(property, override.key().get(this.addressPart)), allowance));
			}
		}
		this.ranges.sort(Comparator.comparingInt((Ranged ranged) -> ranged.range().prefixBits()).reversed());
	}

	/**
	 * What somebody gets.
	 * @param key one value per key source of the rule
	 * @return the allowance of the one override that names him best, if any does
	 */
	Optional<CompiledAllowance> find(List<String> key) {
		if (this.ranges.isEmpty()) {
			return this.exact.isEmpty() ? Optional.empty() : Optional.ofNullable(this.exact.get(key));
		}
		Optional<IpAddress> address = IpAddress.parse(key.get(this.addressPart));
		if (address.isPresent()) {
			for (Ranged ranged : this.ranges) {
				if (ranged.range().contains(address.get()) && hasOtherParts(ranged, key)) {
					return Optional.of(ranged.allowance());
				}
			}
		}
		return Optional.empty();
	}

	/** What they get, in no order. */
	List<CompiledAllowance> allowances() {
		List<CompiledAllowance> all = new ArrayList<>(this.exact.values());
		this.ranges.forEach((ranged) -> all.add(ranged.allowance()));
		return all;
	}

	private boolean hasOtherParts(Ranged ranged, List<String> key) {
		for (int i = 0; i < key.size(); i++) {
			if (i != this.addressPart && !key.get(i).equals(ranged.key().get(i))) {
				return false;
			}
		}
		return true;
	}

	private record Ranged(List<String> key, IpRange range, CompiledAllowance allowance) {
	}

}
