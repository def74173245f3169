package dev.ratelimit.limiter;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;

import org.jspecify.annotations.Nullable;

/**
 * Remembers what rules asked about the clients that came last, so that who comes again
 * costs no hash. A rule is asked the same about the same key, plan and cost for as long
 * as it is in force, so nothing that is remembered grows old.
 * <p>
 * Safe for concurrent use, without a lock. A look costs a hash code and at most two
 * comparisons of the whole key, and no memory. There are at most 8,192 entries, some 2 MB
 * and never more than 4 MB: keys of more than 128 characters are not kept. Whoever sees
 * to it that another client is forgotten costs it the hash.
 */
final class RecentRequests {

	private static final int ENTRIES = 8192;

	/** How many places a client may have. */
	private static final int WAYS = 2;

	private static final int LONGEST_KEY = 128;

	private final AtomicReferenceArray<Recent> places;

	RecentRequests() {
		this(ENTRIES);
	}

	/**
	 * Create an empty memory of another size.
	 * @param entries how many it remembers; a power of two
	 */
	RecentRequests(int entries) {
		this.places = new AtomicReferenceArray<>(entries);
	}

	/**
	 * What was asked before.
	 * @param rule the rule
	 * @param key one value per key source of the rule
	 * @param plan the plan of the one who asks, if he has one
	 * @param cost how many permits the request costs
	 * @return the same ask, if it is remembered
	 */
	@Nullable RuleRequest find(CompiledRule rule, List<String> key, Optional<String> plan, long cost) {
		int first = firstPlace(rule, key, cost);
		for (int place = first; place < first + WAYS; place++) {
			Recent recent = this.places.get(place);
			if (recent != null && recent.isOf(rule, key, plan, cost)) {
				return recent.ruleRequest();
			}
		}
		return null;
	}

	/**
	 * Remember what is asked, in the place of what was remembered longest there. Who
	 * loses a race for it is forgotten.
	 * @param ruleRequest the ask
	 * @param key the key it was made of
	 * @param plan the plan it was made of
	 */
	void add(RuleRequest ruleRequest, List<String> key, Optional<String> plan) {
		if (length(key) + plan.map(String::length).orElse(0) <= LONGEST_KEY) {
			int first = firstPlace(ruleRequest.rule(), key, ruleRequest.cost());
			this.places.set(first + 1, this.places.get(first));
			this.places.set(first, new Recent(ruleRequest, List.copyOf(key), plan));
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
		int mixed = (hash ^ (hash >>> 16)) * 0x9E3779B9;
		return ((mixed ^ (mixed >>> 15)) & (this.places.length() / WAYS - 1)) * WAYS;
	}

	/**
	 * What was asked.
	 *
	 * @param ruleRequest the ask
	 * @param key the key it was made of
	 * @param plan the plan it was made of
	 */
	private record Recent(RuleRequest ruleRequest, List<String> key, Optional<String> plan) {

		boolean isOf(CompiledRule rule, List<String> key, Optional<String> plan, long cost) {
			return this.ruleRequest.rule() == rule && this.ruleRequest.cost() == cost && isKey(key)
					&& this.plan.equals(plan);
		}

		/** The lists are equal; this way no iterators are made. */
		private boolean isKey(List<String> other) {
			boolean same = this.key.size() == other.size();
			for (int i = 0; same && i < other.size(); i++) {
				same = this.key.get(i).equals(other.get(i));
			}
			return same;
		}

	}

}
