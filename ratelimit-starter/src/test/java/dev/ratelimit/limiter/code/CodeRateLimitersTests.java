package dev.ratelimit.limiter.code;

import java.util.List;

import dev.ratelimit.RateLimiter;
import dev.ratelimit.RateLimiters;
import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.live.RulesInForce;
import dev.ratelimit.limiter.outage.NamedRules;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.rule.live.CodeRules;
import dev.ratelimit.rule.live.RuleLayers;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.Mockito.mock;

@DisplayName("2.9 Limiters made in code")
class CodeRateLimitersTests {

	private final CodeRules made = new CodeRules();

	private boolean refusing;

	/** Compiles no rule, so that a thousand are made quickly. */
	private CompiledRules compile(RuleSet rules) {
		if (this.refusing) {
			throw new InvalidRuleException("id", "a", "is refused", "Try again");
		}
		this.made.join(rules);
		return new CompiledRules(new RuleSet(List.of()), 64, NamedRules.NONE);
	}

	private RateLimiters limiters() {
		RulesInForce rules = new RulesInForce(new RuleSet(List.of()), (next, before) -> compile(next));
		return new CodeRateLimiters(this.made, rules, new RuleLayers(List.of()), () -> {
			throw new IllegalStateException("The application has not started");
		}, RLConfig::builder, mock(RateLimiter.class));
	}

	@Test
	void areAtMostAThousand() {
		RateLimiters limiters = limiters();
		for (int i = 0; i < RateLimiters.MAX_LIMITERS; i++) {
			limiters.of("limiter-" + i, "1/1m");
		}
		assertThat(limiters.of("limiter-0", "1/1m").rule()).isEqualTo("limiter-0");
		assertThatIllegalStateException().isThrownBy(() -> limiters.of("one-more", "1/1m"))
			.withMessage(
					"1000 limiters were made in code, and there can be no more. An id must not come from a request");
	}

	@Test
	void leaveNothingBehindIfTheirRuleCannotComeIntoForce() {
		RateLimiters limiters = limiters();
		this.refusing = true;
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> limiters.of("a", "1/1m"));
		assertThat(this.made.size()).isZero();
		this.refusing = false;
		assertThat(limiters.of("a", "2/1m").rule()).isEqualTo("a");
	}

}
