package dev.ratelimit.limiter.rules;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import dev.ratelimit.RateLimiter;
import dev.ratelimit.RateLimiters;
import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.refusal.NamedRules;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.OnLimit;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.rule.live.CodeRules;
import dev.ratelimit.rule.live.RuleLayers;
import dev.ratelimit.rule.live.RuleRefresh;
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

	private Runnable beforeCompiling = () -> {
	};

	/** Compiles no rule, so that a thousand are made quickly. */
	private CompiledRules compile(RuleSet rules) {
		if (this.made.size() > 0) {
			this.beforeCompiling.run();
		}
		if (this.refusing) {
			throw new InvalidRuleException("id", "a", "is refused", "Try again");
		}
		this.made.join(rules);
		return new CompiledRules(new RuleSet(List.of()), 64, NamedRules.NONE);
	}

	private RateLimiters limiters() {
		return limiters(RLConfig::builder);
	}

	private RateLimiters limiters(Function<String, RLConfigBuilder> defaults) {
		ActiveRules rules = new ActiveRules(new RuleSet(List.of()), (next, before) -> compile(next));
		RuleRefresh refresh = new RuleRefresh(new RuleLayers(List.of()), rules::replace, List::of, (event) -> {
		});
		return new CodeRateLimiters(this.made, rules, () -> refresh, defaults, mock(RateLimiter.class));
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
	void rejectWhateverTheDefaultsOfTheApplicationSay() {
		RateLimiters limiters = limiters((id) -> RLConfig.builder(id).onLimit(OnLimit.DELAY));
		assertThat(limiters.of("a", "1/1m").rule()).isEqualTo("a");
		assertThat(this.made.find("a")).get()
			.extracting((rule) -> rule.enforcement().onLimit())
			.isEqualTo(OnLimit.REJECT);
	}

	/** While one thread makes a limiter, its rule is known and not yet in force. */
	@Test
	void areNotReturnedBeforeTheirRuleIsInForce() throws Exception {
		AtomicReference<RateLimiters> limiters = new AtomicReference<>();
		ExecutorService other = Executors.newSingleThreadExecutor();
		AtomicReference<Future<?>> early = new AtomicReference<>();
		this.beforeCompiling = () -> {
			this.beforeCompiling = () -> {
			};
			early.set(other.submit(() -> limiters.get().of("a", "1/1m")));
			assertThatExceptionOfType(TimeoutException.class)
				.isThrownBy(() -> early.get().get(200, TimeUnit.MILLISECONDS));
		};
		limiters.set(limiters());
		limiters.get().of("a", "1/1m");
		early.get().get(10, TimeUnit.SECONDS);
		other.shutdown();
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
