package dev.ratelimit.limiter.rules;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.refusal.NamedRules;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class ActiveRulesTests {

	private final ActiveRules rules = new ActiveRules(set("a", "b"),
			(next, before) -> before.map((old) -> old.followedBy(next))
				.orElseGet(() -> new CompiledRules(next, 64, NamedRules.NONE)));

	private final List<String> reported = new ArrayList<>();

	private static RuleSet set(String... ids) {
		return new RuleSet(Arrays.stream(ids).map((id) -> RLConfig.builder(id).thresholds("1/s").build()).toList());
	}

	private RuleSetListener follower(String name) {
		return (next) -> {
			this.reported.add(name + " prepares while " + this.rules.get().ruleSet().rules().size() + " are in force");
			return () -> this.reported.add(name + " changes");
		};
	}

	@Test
	void allFollowersPrepareBeforeTheFirstOneChanges() {
		this.rules.replace(set("c"), List.of(), List.of(follower("one"), follower("two")));
		assertThat(this.reported).containsExactly("one prepares while 2 are in force",
				"two prepares while 2 are in force", "one changes", "two changes");
		assertThat(this.rules.get().ruleSet()).isEqualTo(set("c"));
	}

	@Test
	void nothingChangesIfOneFollowerFailsToPrepare() {
		CompiledRules before = this.rules.get();
		assertThatIllegalStateException()
			.isThrownBy(() -> this.rules.replace(set("c"), List.of(), List.of(follower("one"), (next) -> {
				throw new IllegalStateException("not me");
			})))
			.withMessage("not me");
		assertThat(this.rules.get()).isSameAs(before);
		assertThat(this.reported).containsExactly("one prepares while 2 are in force");
	}

	@Test
	void aCheckThatRefusesKeepsEveryFollowerFromPreparing() {
		CompiledRules before = this.rules.get();
		assertThatIllegalStateException().isThrownBy(() -> this.rules.replace(set("c"), List.of((next) -> {
			throw new IllegalStateException("not enforceable: " + next.ruleSet().rules().size());
		}), List.of(follower("one")))).withMessage("not enforceable: 1");
		assertThat(this.rules.get()).isSameAs(before);
		assertThat(this.reported).isEmpty();
	}

	@Test
	void aFollowerThatFailsToChangeDoesNotStopTheOthers() {
		this.rules.replace(set("c"), List.of(), List.of((next) -> () -> {
			throw new IllegalStateException("too late");
		}, follower("two")));
		assertThat(this.reported).contains("two changes");
		assertThat(this.rules.get().ruleSet()).isEqualTo(set("c"));
	}

	@Test
	void anUnchangedRuleKeepsItsCompiledRule() {
		CompiledRules before = this.rules.get();
		RLConfig changed = RLConfig.builder("b").thresholds("2/s").build();
		this.rules.replace(new RuleSet(List.of(set("a").rules().get(0), changed)), List.of(), List.of());
		assertThat(this.rules.get().find("a")).containsSame(before.find("a").orElseThrow());
		assertThat(this.rules.get().find("b").orElseThrow().config()).isEqualTo(changed);
		assertThat(before.find("b").orElseThrow().config()).isNotEqualTo(changed);
	}

}
