package dev.ratelimit.limiter;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.support.SetAssociativeTable;
import org.jspecify.annotations.Nullable;

/**
 * Caches what rules request for the most recent clients, so that a returning client costs
 * no hash. A rule requests the same for the same key, plan and cost for as long as it is
 * in force, so no entry becomes stale.
 * <p>
 * Safe for concurrent use, without a lock. A look-up costs a hash code and at most two
 * comparisons of the whole key, and allocates nothing. There are at most 8,192 entries,
 * which take about 2 MB and never more than 4 MB, because keys of more than 128
 * characters are not cached. Evicting another client's entry costs that client one hash
 * computation.
 */
final class RecentRequests {

	private static final int ENTRIES = 8192;

	/** How many places an entry may occupy. */
	private static final int WAYS = 2;

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
		int first = firstPlace(rule, key, cost);
		for (int place = first; place < first + WAYS; place++) {
			Recent recent = this.table.get(place);
			if (recent != null && recent.isOf(rule, key, plan, cost)) {
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
			int first = firstPlace(ruleRequest.rule(), key, ruleRequest.cost());
			this.table.put(first + 1, this.table.get(first));
			this.table.put(first, new Recent(ruleRequest, List.copyOf(key), plan));
		}
	}

	private static int length(List<String> key) {
		int length = 0;
		for (String value : key) {
			length += value.length();
		}
		return length;
	}

	private int firstPlace(CompiledRule rule, List<String> key, long cost) {
		int hash = (key.hashCode() * 31 + rule.hashCode()) * 31 + Long.hashCode(cost);
		return this.table.firstPlace(hash);
	}

	/**
	 * A cached request.
	 *
	 * @param ruleRequest the request
	 * @param key the key it was made of
	 * @param plan the plan it was made of
	 */
	private record Recent(RuleRequest ruleRequest, List<String> key, Optional<String> plan) {

		boolean isOf(CompiledRule rule, List<String> key, Optional<String> plan, long cost) {
			return this.ruleRequest.rule() == rule && this.ruleRequest.cost() == cost && isKey(key)
					&& this.plan.equals(plan);
		}

		/** Whether the lists are equal; this loop allocates no iterators. */
		private boolean isKey(List<String> other) {
			boolean same = this.key.size() == other.size();
			for (int i = 0; same && i < other.size(); i++) {
				same = this.key.get(i).equals(other.get(i));
			}
			return same;
		}

	}

}
