package dev.ratelimit.limiter.rules;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

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

	private RuleSetListener listener(String name) {
		return (next) -> {
			this.reported.add(name + " prepares while " + this.rules.get().ruleSet().rules().size() + " are in force");
			return () -> this.reported.add(name + " changes");
		};
	}

	@Test
	void theFirstRulesReachAListenerAsEveryLaterSetDoes() {
		List<RuleSet> seen = new ArrayList<>();
		RuleSetListener listener = (next) -> () -> seen.add(next.ruleSet());
		assertThat(this.rules.follow(listener)).isSameAs(listener);
		this.rules.replace(set("c"));
		assertThat(seen).containsExactly(set("a", "b"), set("c"));
	}

	@Test
	void theFirstRulesReachAValidatorAsEveryLaterSetDoes() {
		RuleSetValidator one = (next) -> {
			if (next.ruleSet().rules().size() == 2) {
				throw new IllegalStateException("not two");
			}
		};
		assertThatIllegalStateException().isThrownBy(() -> this.rules.validate(List.of(one))).withMessage("not two");
		this.rules.replace(set("c"));
		this.rules.validate(List.of(one));
		assertThatIllegalStateException().isThrownBy(() -> this.rules.replace(set("a", "b"))).withMessage("not two");
		assertThat(this.rules.get().ruleSet()).isEqualTo(set("c"));
	}

	@Test
	void allListenersPrepareBeforeTheFirstOneChanges() {
		this.rules.follow(listener("two"));
		this.rules.followFirst(listener("one"));
		this.reported.clear();
		this.rules.replace(set("c"));
		assertThat(this.reported).containsExactly("one prepares while 2 are in force",
				"two prepares while 2 are in force", "one changes", "two changes");
		assertThat(this.rules.get().ruleSet()).isEqualTo(set("c"));
	}

	/** A bean that a rule names may be made then, with all that it depends on. */
	@Test
	void aListenerThatBeginsToFollowWhileAnotherPreparesGetsTheNewRules() {
		List<RuleSet> seen = new ArrayList<>();
		this.rules.follow((next) -> {
			if (next.ruleSet().equals(set("c")) && seen.isEmpty()) {
				this.rules.follow((nested) -> () -> seen.add(nested.ruleSet()));
			}
			return () -> {
			};
		});
		this.rules.replace(set("c"));
		assertThat(seen).containsExactly(set("a", "b"), set("c"));
	}

	@Test
	void aListenerWhosePreparationReplacesTheRulesFollowsThoseInForce() {
		List<RuleSet> seen = new ArrayList<>();
		this.rules.follow((next) -> {
			if (next.ruleSet().equals(set("a", "b"))) {
				this.rules.replace(set("c"));
			}
			return () -> seen.add(next.ruleSet());
		});
		assertThat(seen).containsExactly(set("c"));
	}

	/** A thread with the lock of the beans may need that of the rules. */
	@Test
	void noListenerWaitsForOneThatPrepares() {
		List<RuleSet> seen = new CopyOnWriteArrayList<>();
		this.rules.follow((next) -> {
			if (next.ruleSet().equals(set("c")) && seen.isEmpty()) {
				Thread other = new Thread(() -> this.rules.follow((now) -> () -> seen.add(now.ruleSet())));
				other.start();
				join(other);
			}
			return () -> {
			};
		});
		this.rules.replace(set("c"));
		assertThat(seen).containsExactly(set("a", "b"), set("c"));
	}

	private static void join(Thread other) {
		try {
			other.join();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void nothingChangesIfOneListenerFailsToPrepare() {
		CompiledRules before = this.rules.get();
		this.rules.follow(listener("one"));
		this.rules.follow((next) -> {
			if (next != before) {
				throw new IllegalStateException("not me");
			}
			return () -> {
			};
		});
		this.reported.clear();
		assertThatIllegalStateException().isThrownBy(() -> this.rules.replace(set("c"))).withMessage("not me");
		assertThat(this.rules.get()).isSameAs(before);
		assertThat(this.reported).containsExactly("one prepares while 2 are in force");
	}

	@Test
	void aValidatorThatRefusesKeepsEveryListenerFromPreparing() {
		CompiledRules before = this.rules.get();
		this.rules.follow(listener("one"));
		this.reported.clear();
		this.rules.validate(List.of((next) -> {
			if (next != before) {
				throw new IllegalStateException("not enforceable: " + next.ruleSet().rules().size());
			}
		}));
		assertThatIllegalStateException().isThrownBy(() -> this.rules.replace(set("c")))
			.withMessage("not enforceable: 1");
		assertThat(this.rules.get()).isSameAs(before);
		assertThat(this.reported).isEmpty();
	}

	@Test
	void aListenerThatFailsToChangeDoesNotStopTheOthers() {
		CompiledRules before = this.rules.get();
		this.rules.follow((next) -> () -> {
			if (next != before) {
				throw new IllegalStateException("too late");
			}
		});
		this.rules.follow(listener("two"));
		this.reported.clear();
		this.rules.replace(set("c"));
		assertThat(this.reported).contains("two changes");
		assertThat(this.rules.get().ruleSet()).isEqualTo(set("c"));
	}

	@Test
	void anUnchangedRuleKeepsItsCompiledRule() {
		CompiledRules before = this.rules.get();
		RLConfig changed = RLConfig.builder("b").thresholds("2/s").build();
		this.rules.replace(new RuleSet(List.of(set("a").rules().get(0), changed)));
		assertThat(this.rules.get().find("a")).containsSame(before.find("a").orElseThrow());
		assertThat(this.rules.get().find("b").orElseThrow().config()).isEqualTo(changed);
		assertThat(before.find("b").orElseThrow().config()).isNotEqualTo(changed);
	}

}
