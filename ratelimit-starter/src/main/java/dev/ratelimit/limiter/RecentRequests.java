package dev.ratelimit.limiter;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

import dev.ratelimit.support.SetAssociativeTable;
import org.jspecify.annotations.Nullable;

/**
 * Caches what rules request for the most recent clients, so that a returning client costs
 * no hash. A rule requests the same for the same key, plan and cost for as long as it is
 * in force, so no entry becomes stale. What belongs to one call, such as its turn or a
 * limit of the caller's own, is put into a copy of the cached request. Entries keep their
 * rules in memory, so they are dropped when other rules come into force.
 * <p>
 * Safe for concurrent use, without a lock. A look-up costs a hash code and at most four
 * comparisons of the whole key, and allocates nothing. There are at most 8,192 entries,
 * which take about 2 MB and never more than 4 MB, because keys of more than 128
 * characters are not cached. Evicting another client's entry costs that client one hash
 * computation.
 */
final class RecentRequests {

	private static final int ENTRIES = 8192;

	/** How many places an entry may occupy. */
	private static final int WAYS = 4;

	private static final int LONGEST_KEY = 128;

	private final SetAssociativeTable<Recent> table;

	RecentRequests() {
		this(ENTRIES);
	}

	/**
	 * Create an empty cache of another size.
	 * @param entries the number of entries; a power of two
	 */
	RecentRequests(int entries) {
		this.table = new SetAssociativeTable<>(entries, WAYS);
	}

	/**
	 * Find an earlier request.
	 * @param rule the rule
	 * @param key one value per key source of the rule
	 * @param plan the plan of the client, if it has one
	 * @param cost how many permits the request costs
	 * @return the same request; {@code null} if it is not cached
	 */
	@Nullable RuleRequest find(CompiledRule rule, List<String> key, Optional<String> plan, long cost) {
		return find(rule, key.hashCode(), key.isEmpty() ? null : key.get(0), key, plan, cost);
	}

	/** As above, for a key of one value. The hash of its list is this one. */
	@Nullable RuleRequest find(CompiledRule rule, String key, Optional<String> plan, long cost) {
		return find(rule, 31 + key.hashCode(), key, List.of(), plan, cost);
	}

	/**
	 * Find by the first value of a key, and by all others in the list. What the list has
	 * in the first place is not compared.
	 */
	private @Nullable RuleRequest find(CompiledRule rule, int keyHash, @Nullable String first, List<String> key,
			Optional<String> plan, long cost) {
		int hash = hash(rule, keyHash, cost);
		int start = this.table.firstPlace(hash);
		for (int place = start; place < start + WAYS; place++) {
			Recent recent = this.table.get(place);
			if (recent != null && recent.hash() == hash && recent.isOf(rule, first, key, plan, cost)) {
				return recent.ruleRequest();
			}
		}
		return null;
	}

	/**
	 * Cache a request, in the place of the oldest entry there. An entry that loses a race
	 * for its place is dropped.
	 * @param ruleRequest the request
	 * @param key the key it was made of
	 * @param plan the plan it was made of
	 */
	void add(RuleRequest ruleRequest, List<String> key, Optional<String> plan) {
		if (length(key) + plan.map(String::length).orElse(0) <= LONGEST_KEY) {
			int hash = hash(ruleRequest.rule(), key.hashCode(), ruleRequest.cost());
			int first = this.table.firstPlace(hash);
			for (int place = first + WAYS - 1; place > first; place--) {
				this.table.put(place, this.table.get(place - 1));
			}
			this.table.put(first, Recent.of(ruleRequest, hash, key, plan));
		}
	}

	/** Drop all entries. */
	void clear() {
		this.table.clear();
	}

	private static int length(List<String> key) {
		int length = 0;
		for (String value : key) {
			length += value.length();
		}
		return length;
	}

	private static int hash(CompiledRule rule, int keyHash, long cost) {
		return (keyHash * 31 + rule.hashCode()) * 31 + Long.hashCode(cost);
	}

	/**
	 * A cached request. It repeats what it is compared by, because each object that a
	 * look-up visits is likely to miss the caches of the processor.
	 *
	 * @param ruleRequest the request
	 * @param hash its hash
	 * @param rule its rule
	 * @param cost its cost
	 * @param first the first value of the key it was made of; {@code null} if that is
	 * empty
	 * @param more the other values of that key
	 * @param plan the plan it was made of
	 */
	private record Recent(RuleRequest ruleRequest, int hash, CompiledRule rule, long cost, @Nullable String first,
			List<String> more, Optional<String> plan) {

		static Recent of(RuleRequest ruleRequest, int hash, List<String> key, Optional<String> plan) {
			return new Recent(ruleRequest, hash, ruleRequest.rule(), ruleRequest.cost(),
					key.isEmpty() ? null : key.get(0), key.stream().skip(1).toList(), plan);
		}

		boolean isOf(CompiledRule rule, @Nullable String first, List<String> key, Optional<String> plan, long cost) {
			return this.rule == rule && this.cost == cost && Objects.equals(first, this.first) && isRest(key)
					&& this.plan.equals(plan);
		}

		/** This loop allocates no iterators. */
		private boolean isRest(List<String> key) {
			boolean same = this.more.size() == Math.max(0, key.size() - 1);
			for (int i = 1; same && i < key.size(); i++) {
				same = this.more.get(i - 1).equals(key.get(i));
			}
			return same;
		}

	}

}
