package dev.ratelimit.limiter;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.ratelimit.rule.RLConfig;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests of a returning client use the same object, and never that of another client.
 */
class RecentRequestsTests {

	private static final Optional<String> NO_PLAN = Optional.empty();

	private final SubjectEncoder subjects = new SubjectEncoder(64, "");

	private final CompiledRule rule = rule("r");

	private static CompiledRule rule(String id) {
		return CompiledRule.of(RLConfig.builder(id).key("header:X-A").thresholds("5/1m").build(), 64, true);
	}

	private RuleRequest acquire(String value) {
		return this.subjects.byKey(this.rule, List.of(value), NO_PLAN, 1);
	}

	@Test
	void aClientThatReturnsIsNotEncodedAgain() {
		assertThat(acquire("a")).isSameAs(acquire("ab".substring(0, 1)))
			.isNotSameAs(new SubjectEncoder(64, "").byKey(this.rule, List.of("a"), NO_PLAN, 1));
	}

	@Test
	void anotherRuleKeyPlanOrCostIsAnotherRequest() {
		RecentRequests oneSet = new RecentRequests(4);
		RuleRequest known = acquire("a");
		oneSet.add(known, List.of("a"), Optional.of("pro"));
		assertThat(oneSet.find(this.rule, List.of("a"), Optional.of("pro"), 1)).isSameAs(known);
		assertThat(oneSet.find(rule("r"), List.of("a"), Optional.of("pro"), 1)).as("of a new rule set").isNull();
		assertThat(oneSet.find(this.rule, List.of("b"), Optional.of("pro"), 1)).isNull();
		assertThat(oneSet.find(this.rule, List.of("a", ""), Optional.of("pro"), 1)).isNull();
		assertThat(oneSet.find(this.rule, List.of(), Optional.of("pro"), 1)).isNull();
		assertThat(oneSet.find(this.rule, List.of("a"), NO_PLAN, 1)).isNull();
		assertThat(oneSet.find(this.rule, List.of("a"), Optional.of("pro"), 2)).isNull();
	}

	@Test
	void keysOfAnyLengthAreFoundAndDistinguished() {
		List<List<String>> keys = List.of(List.of(), List.of(""), List.of("a"), List.of("a", "b"), List.of("a", "c"),
				List.of("a", "b", "c"));
		RecentRequests recent = new RecentRequests(64);
		RuleRequest known = acquire("a");
		for (List<String> key : keys) {
			assertThat(recent.find(this.rule, key, NO_PLAN, 1)).as("%s", key).isNull();
			recent.add(known, key, NO_PLAN);
			assertThat(recent.find(this.rule, key, NO_PLAN, 1)).as("%s", key).isSameAs(known);
		}
	}

	@Test
	void costsAndKeysWithTheSameHashCodeAreDistinguished() {
		long sameHash = 1L << 32;
		assertThat(Long.hashCode(sameHash)).isEqualTo(Long.hashCode(1));
		assertThat(this.subjects.byKey(this.rule, List.of("a"), NO_PLAN, 1)).extracting(RuleRequest::cost)
			.isEqualTo(1L);
		assertThat(this.subjects.byKey(this.rule, List.of("a"), NO_PLAN, sameHash)).extracting(RuleRequest::cost)
			.isEqualTo(sameHash);
		RecentRequests recent = new RecentRequests(4);
		RuleRequest known = acquire("a");
		recent.add(known, List.of("a", "Aa"), NO_PLAN);
		assertThat(recent.find(this.rule, List.of("a", "BB"), NO_PLAN, 1)).isNull();
		assertThat(recent.find(this.rule, List.of("a", "Aa"), NO_PLAN, 1)).isSameAs(known);
	}

	@Test
	void textsWithTheSameHashCodeAreDistinguished() {
		assertThat("Aa".hashCode()).isEqualTo("BB".hashCode());
		assertThat(acquire("Aa").subject()).isNotEqualTo(acquire("BB").subject());
		assertThat(acquire("Aa")).isSameAs(acquire("Aa")).isNotSameAs(acquire("BB"));
	}

	@Test
	void theNewestTakesThePlaceOfTheOldest() {
		RecentRequests oneSet = new RecentRequests(4);
		for (String value : List.of("a", "b", "c", "d", "e")) {
			oneSet.add(acquire(value), List.of(value), NO_PLAN);
		}
		assertThat(oneSet.find(this.rule, List.of("a"), NO_PLAN, 1)).isNull();
		for (String value : List.of("b", "c", "d", "e")) {
			assertThat(oneSet.find(this.rule, List.of(value), NO_PLAN, 1)).isSameAs(acquire(value));
		}
	}

	@Test
	void aKeyThatIsTooLongIsNotCached() {
		String longest = "x".repeat(128);
		assertThat(acquire(longest)).isSameAs(acquire(longest));
		assertThat(acquire(longest + "x")).isNotSameAs(acquire(longest + "x")).isEqualTo(acquire(longest + "x"));
		Optional<String> plan = Optional.of("p");
		assertThat(this.subjects.byKey(this.rule, List.of(longest), plan, 1))
			.isNotSameAs(this.subjects.byKey(this.rule, List.of(longest), plan, 1));
	}

	@Test
	void aCachedRequestDoesNotChangeWithItsKey() {
		List<String> key = new ArrayList<>(List.of("a"));
		RuleRequest ruleRequest = this.subjects.byKey(this.rule, key, NO_PLAN, 1);
		key.set(0, "b");
		assertThat(this.subjects.byKey(this.rule, key, NO_PLAN, 1).subject()).isNotEqualTo(ruleRequest.subject());
		assertThat(acquire("a")).isSameAs(ruleRequest);
	}

	@Test
	void aThousandClientsFindAPlace() {
		Set<RuleRequest> ruleRequests = Collections.newSetFromMap(new IdentityHashMap<>());
		for (int i = 0; i < 2000; i++) {
			ruleRequests.add(acquire("client-" + i % 1000));
		}
		// Which clients share a place depends on identity hashes; without a cache: 2000.
		assertThat(ruleRequests).hasSizeLessThan(1100);
	}

}
