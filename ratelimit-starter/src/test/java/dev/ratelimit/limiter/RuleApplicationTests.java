package dev.ratelimit.limiter;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.limiter.RuleApplication.Counts;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.OnMissingKey;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.Limit;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whether a rule applies and which subject it counts, from facts alone.
 */
class RuleApplicationTests {

	private final List<String> reads = new ArrayList<>();

	private static CompiledRule rule(String key, OnMissingKey onMissingKey) {
		return CompiledRule.of(
				RLConfig.builder("r").paths("/**").key(key).onMissingKey(onMissingKey).thresholds("5/1m").build(), 64,
				false);
	}

	private RuleApplication apply(OnMissingKey onMissingKey, Facts facts) {
		return RuleApplication.of(rule("header:X-Key", onMissingKey), facts, new SubjectEncoder(64, ""));
	}

	private String subject(OnMissingKey onMissingKey, Facts facts) {
		return ((Counts) apply(onMissingKey, facts)).ruleRequest().subject().text();
	}

	@Test
	void aRuleWhoseConditionDoesNotHoldReadsNothingElse() {
		assertThat(apply(OnMissingKey.DENY, new Facts(false, "", ""))).isEqualTo(RuleApplication.SKIPS);
		assertThat(this.reads).containsExactly("condition");
	}

	@Test
	void aRequestWithItsKeyCountsByIt() {
		assertThat(apply(OnMissingKey.IP, new Facts(true, "k", "192.0.2.1"))).isInstanceOfSatisfying(Counts.class,
				(counts) -> {
					assertThat(counts.key()).containsExactly("k");
					assertThat(counts.plan()).contains("gold");
					assertThat(counts.ruleRequest().cost()).isEqualTo(3);
					assertThat(counts.ruleRequest().subject().text()).startsWith("h");
				});
		assertThat(this.reads).containsExactly("condition", "key", "plan", "cost", "turn");
	}

	@Test
	void aRequestWithoutItsKeyIsSkippedOrRefusedAndCostsNothing() {
		assertThat(apply(OnMissingKey.SKIP, new Facts(true, "", "192.0.2.1"))).isEqualTo(RuleApplication.SKIPS);
		assertThat(apply(OnMissingKey.DENY, new Facts(true, "", "192.0.2.1"))).isEqualTo(RuleApplication.DENIES);
		assertThat(this.reads).containsExactly("condition", "key", "condition", "key");
	}

	@Test
	void orItCountsByItsAddressOrWithAllOthers() {
		assertThat(subject(OnMissingKey.IP, new Facts(true, "", "192.0.2.1"))).isEqualTo("i192.0.2.1");
		assertThat(subject(OnMissingKey.SHARED, new Facts(true, "", "192.0.2.1"))).isEqualTo("k");
	}

	/** One bucket would be for all users. */
	@Test
	void aCallThatHasNeitherKeyNorAddressIsRefused() {
		assertThat(apply(OnMissingKey.IP, new Facts(true, "", ""))).isEqualTo(RuleApplication.DENIES);
		assertThat(RuleApplication.of(rule("ip", OnMissingKey.IP), new Facts(true, "", ""), new SubjectEncoder(64, "")))
			.as("a rule by address, whose calls without a request count together")
			.isInstanceOfSatisfying(Counts.class,
					(counts) -> assertThat(counts.ruleRequest().subject().text()).isEqualTo("k"));
	}

	/** Such as a turn, or a limit of the caller's own. */
	@Test
	void whatBelongsToOneCallIsNotCachedForTheNext() {
		SubjectEncoder subjects = new SubjectEncoder(64, "");
		CompiledRule rule = rule("header:X-Key", OnMissingKey.DENY);
		CompiledAllowance own = CompiledAllowance.of(rule.config(), Allowance.BLOCKED, Limit::ofOverride);
		Facts blocked = new Facts(true, "k", "") {

			@Override
			public RuleRequest withTurn(RuleRequest ruleRequest) {
				return new RuleRequest(rule, own, ruleRequest.subject(), ruleRequest.cost());
			}

		};
		assertThat(List.of(blocked, new Facts(true, "k", ""), blocked))
			.map((facts) -> ((Counts) RuleApplication.of(rule, facts, subjects)).ruleRequest().allowance())
			.containsExactly(own, rule.standard(), own);
	}

	/** Facts that record what is read; an empty text is an absent fact. */
	private class Facts implements RuleApplicationFacts {

		private final boolean holds;

		private final String key;

		private final String address;

		Facts(boolean holds, String key, String address) {
			this.holds = holds;
			this.key = key;
			this.address = address;
		}

		private <T> T read(String fact, T value) {
			RuleApplicationTests.this.reads.add(fact);
			return value;
		}

		@Override
		public boolean meetsCondition() {
			return read("condition", this.holds);
		}

		@Override
		public Optional<List<String>> key() {
			return read("key", this.key.isEmpty() ? Optional.empty() : Optional.of(List.of(this.key)));
		}

		@Override
		public Optional<String> plan() {
			return read("plan", Optional.of("gold"));
		}

		@Override
		public long cost() {
			return read("cost", 3L);
		}

		@Override
		public Optional<String> address() {
			return read("address", this.address.isEmpty() ? Optional.empty() : Optional.of(this.address));
		}

		@Override
		public RuleRequest withTurn(RuleRequest ruleRequest) {
			return read("turn", ruleRequest);
		}

	}

}
