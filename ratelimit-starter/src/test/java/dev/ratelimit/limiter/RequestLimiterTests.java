package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Allowed;
import dev.ratelimit.RateLimitDecision.Quota;
import dev.ratelimit.RateLimitDecision.Rejected;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.RateLimitDecision.Unavailable;
import dev.ratelimit.fixture.Caller;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.RecordingListener;
import dev.ratelimit.fixture.RecordingStore;
import dev.ratelimit.rule.OnStoreFailure;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLWindow;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.memory.MemoryStore;
import dev.ratelimit.support.WaitBudget;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

@ParameterizedClass
@EnumSource
class RequestLimiterTests {

	@Parameter
	private Caller caller;

	private final MovableClock clock = new MovableClock();

	private final RecordingStore store = new RecordingStore(new MemoryStore(this.clock));

	private final RecordingStore fallback = new RecordingStore(new MemoryStore(this.clock));

	private final RecordingListener listener = new RecordingListener();

	private final RequestLimiter limiter = limiter(this.fallback);

	private final SubjectEncoder subjects = new SubjectEncoder(64, "");

	private RequestLimiter limiter(RecordingStore fallback) {
		return TestLimiter.over(this.store, this.clock)
			.fallback(Fallback.alone(fallback))
			.listener(this.listener)
			.build();
	}

	private RequestDecision decide(CompiledRule... rules) {
		return this.caller.obtain(this.limiter.decide(ruleRequests(1, rules), this.limiter.newBudget()));
	}

	private static RateLimitDecision first(RequestDecision decision) {
		return decisions(decision).get(0);
	}

	private static List<RateLimitDecision> decisions(RequestDecision decision) {
		return decision.decided().stream().map(RuleDecision::decision).toList();
	}

	private List<RuleRequest> ruleRequests(long cost, CompiledRule... rules) {
		return Stream.of(rules)
			.map((rule) -> this.subjects.byAddress(rule, "1.2.3.4", Optional.empty(), cost))
			.toList();
	}

	private static CompiledRule rule(String id, String... thresholds) {
		return CompiledRule.of(RLConfig.builder(id).thresholds(thresholds).build(), 64, false);
	}

	private static CompiledRule rule(String id, OnStoreFailure policy) {
		return CompiledRule.of(RLConfig.builder(id).thresholds("1/1m").onStoreFailure(policy).build(), 64, false);
	}

	@Test
	void reportsTheUsageOfEveryWindow() {
		RateLimitDecision decision = first(decide(rule("r", "500/2s", "2000/10s")));
		assertThat(decision)
			.isEqualTo(new Allowed("r", Source.STORE, List.of(quota("r-2s", 500, 2), quota("r-10s", 2000, 10))));
	}

	private static Quota quota(String policy, long limit, long seconds) {
		Duration window = Duration.ofSeconds(seconds);
		return new Quota(policy, limit, limit, RLWindow.of(window), limit - 1, window, Optional.of(Duration.ZERO),
				Optional.empty());
	}

	@Test
	void theOnlyThresholdOfARuleIsNamedLikeTheRule() {
		assertThat(first(decide(rule("r", "1/s"))).quotas()).extracting(Quota::policy).containsExactly("r");
	}

	@Test
	void acquiresForAllRulesAtOnceWithOnePermitEach() {
		decide(rule("a", "1/s"), rule("b", "1/s"), rule("c", "1/s"));
		assertThat(this.store.acquired()).hasSize(1);
		assertThat(this.store.acquired().get(0)).extracting((request) -> request.limit().rule())
			.containsExactly("a", "b", "c");
		assertThat(this.store.acquired().get(0)).extracting(AcquireRequest::permit).doesNotHaveDuplicates();
	}

	@Test
	void aRefusalReleasesThePermitsOfOtherRules() {
		CompiledRule wide = rule("wide", "2/1m");
		CompiledRule narrow = rule("narrow", "1/1m");
		assertThat(decide(wide, narrow).isAdmitted()).isTrue();
		RequestDecision decision = decide(wide, narrow);
		assertThat(decision.isAdmitted()).isFalse();
		assertThat(decision.permits()).isEmpty();
		assertThat(decision.refusals()).extracting(RateLimitDecision::rule).containsExactly("narrow");
		assertThat(this.store.released()).containsExactly("wide");
		assertThat(this.listener.events()).containsExactly("wide ALLOWED by STORE", "narrow ALLOWED by STORE",
				"wide released", "wide RELEASED by STORE", "narrow REJECTED by STORE");
		assertThat(decide(wide).isAdmitted()).isTrue();
	}

	@Test
	void anAdmittedRequestKeepsItsPermitsUntilTheyAreReleased() {
		CompiledRule rule = rule("r", "1/1m");
		RequestDecision decision = decide(rule);
		assertThat(decide(rule).isAdmitted()).isFalse();
		this.caller.obtain(this.limiter.release(decision.permits(), this.limiter.newBudget()));
		this.caller.obtain(this.limiter.release(decision.permits(), this.limiter.newBudget()));
		assertThat(decide(rule).isAdmitted()).isTrue();
		assertThat(decide(rule).isAdmitted()).isFalse();
	}

	@Test
	void aStoreThatIsItsOwnFallbackReleasesOnce() {
		RequestLimiter limiter = limiter(this.store);
		WaitBudget budget = limiter.newBudget();
		RequestDecision decision = this.caller.obtain(limiter.decide(ruleRequests(1, rule("r", "1/1m")), budget));
		this.caller.obtain(limiter.release(decision.permits(), budget));
		assertThat(this.store.released()).containsExactly("r");
		assertThat(this.listener.events()).containsExactly("r ALLOWED by STORE", "r released");
	}

	@Test
	void reportsWhenARetryCanSucceed() {
		CompiledRule rule = rule("r", "1/1m");
		decide(rule);
		this.clock.advance(Duration.ofSeconds(20));
		Rejected rejected = (Rejected) first(decide(rule));
		assertThat(rejected.retryAfter()).contains(Duration.ofSeconds(40));
		this.clock.advance(rejected.retryAfter().orElseThrow().minusNanos(1000));
		assertThat(decide(rule).isAdmitted()).isFalse();
		this.clock.advance(Duration.ofNanos(1000));
		assertThat(decide(rule).isAdmitted()).isTrue();
	}

	@Test
	void namesNoTimeForARetryThatCanNeverSucceed() {
		Rejected rejected = (Rejected) first(this.caller
			.obtain(this.limiter.decide(ruleRequests(3, rule("r", "5/1s", "2/1m")), this.limiter.newBudget())));
		assertThat(rejected.retryAfter()).isEmpty();
	}

	@Test
	void allowAdmitsWhileTheStoreIsAway() {
		this.store.failFor("r");
		RequestDecision decision = decide(rule("r", OnStoreFailure.ALLOW));
		assertThat(decisions(decision)).containsExactly(new Allowed("r", Source.NONE, List.of()));
		assertThat(decision.permits()).isEmpty();
	}

	@Test
	void denyRefusesWhileTheStoreIsAway() {
		this.store.failFor("r");
		assertThat(decide(rule("r", OnStoreFailure.DENY)).refusals())
			.containsExactly(new Unavailable("r", Duration.ofSeconds(1)));
	}

	@Test
	void localCountsOnThisInstanceOnlyWhileTheStoreIsAway() {
		CompiledRule rule = rule("r", OnStoreFailure.LOCAL);
		this.store.failFor("r");
		assertThat(first(decide(rule)).source()).isEqualTo(Source.LOCAL);
		assertThat(first(decide(rule))).isInstanceOf(Rejected.class);
		this.store.recover();
		assertThat(first(decide(rule))).isInstanceOf(Allowed.class)
			.extracting(RateLimitDecision::source)
			.isEqualTo(Source.STORE);
	}

	@Test
	void oneFailedRequestDoesNotAffectTheOthers() {
		this.store.failFor("a");
		RequestDecision decision = decide(rule("a", OnStoreFailure.LOCAL), rule("b", OnStoreFailure.LOCAL));
		assertThat(decisions(decision)).extracting(RateLimitDecision::source)
			.containsExactly(Source.LOCAL, Source.STORE);
	}

	@Test
	void aRefusalReleasesToTheStoreThatAdmitted() {
		CompiledRule narrow = rule("narrow", "1/1m");
		CompiledRule local = rule("local", OnStoreFailure.LOCAL);
		decide(narrow);
		this.store.failFor("local");
		assertThat(decide(local, narrow).isAdmitted()).isFalse();
		assertThat(this.fallback.released()).containsExactly("local");
		assertThat(this.store.released()).isEmpty();
		assertThat(decide(local).isAdmitted()).isTrue();
	}

	@Test
	void permitsThatTimedOutMayStayCountedAndAreNotReleased() {
		this.store.timeOutFor("r");
		assertThat(decide(rule("r", OnStoreFailure.DENY)).isAdmitted()).isFalse();
		assertThat(this.store.released()).isEmpty();
		assertThat(this.listener.events()).containsExactly("r not released", "r REJECTED by NONE");
	}

}
