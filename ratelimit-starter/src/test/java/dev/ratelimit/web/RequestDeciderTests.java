package dev.ratelimit.web;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Unavailable;
import dev.ratelimit.fixture.Beans;
import dev.ratelimit.fixture.Caller;
import dev.ratelimit.fixture.HandledLater;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.RecordingListener;
import dev.ratelimit.fixture.RecordingStore;
import dev.ratelimit.limiter.CompiledAllowance;
import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.RequestDecision;
import dev.ratelimit.limiter.RequestLimiter;
import dev.ratelimit.limiter.RuleDecision;
import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.limiter.TestLimiter;
import dev.ratelimit.limiter.refusal.NamedRules;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.OnLimit;
import dev.ratelimit.rule.OnMissingKey;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.spi.LaterHandler;
import dev.ratelimit.spi.Standing;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.memory.MemoryStore;
import dev.ratelimit.support.WaitBudget;
import dev.ratelimit.web.RequestAction.AwaitTurn;
import dev.ratelimit.web.RequestAction.Proceed;
import dev.ratelimit.web.RequestAction.Refuse;
import dev.ratelimit.web.RequestAction.TakeLater;
import jakarta.servlet.http.HttpServletRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

/**
 * What is to be done with a request, without a container: an adapter of another web stack
 * uses the decider in the same way.
 */
@ParameterizedClass
@EnumSource
class RequestDeciderTests {

	@Parameter
	private Caller caller;

	private final MovableClock clock = new MovableClock();

	private final RecordingStore store = new RecordingStore(new MemoryStore(this.clock));

	private final RecordingListener listener = new RecordingListener();

	private final AtomicInteger clockReads = new AtomicInteger();

	private final List<String> ofModule = new ArrayList<>();

	private boolean mayTake = true;

	private final RequestLimiter limiter = TestLimiter.over(this.store, this.clock).listener(this.listener).build();

	private final RequestDecider decider = new RequestDecider(this.limiter, List.of(), this.listener, () -> {
		this.clockReads.incrementAndGet();
		return this.clock.nanoTime();
	}, Optional.of(new LaterDecider(this.limiter, new Handler(), this.listener, this.clock::nanoTime)));

	private Routes routes = routes();

	private Routes routes(RLConfig... rules) {
		SubjectEncoder subjects = new SubjectEncoder(64, "");
		RouteTable byPath = new RouteTable(new CompiledRules(new RuleSet(List.of(rules)), 64, NamedRules.NONE),
				(id) -> false, new PathPatternParser(), List.of(), ActuatorPaths.NONE, Beans.NONE, subjects,
				this.clock::nanoTime);
		return new Routes(byPath, new HandlerRoutes(Beans.NONE, subjects, this.clock::nanoTime));
	}

	private RateLimitContext post() {
		return this.decider.begin(this.routes, PathForms.ofMvc(PathForms.text("/a")), "POST");
	}

	private RequestAction decide(RateLimitContext context) {
		return this.caller.obtain(this.decider.decide(context, context.matches(), context.path(),
				new KnownFacts("POST", "/a", Map.of()), () -> this.mayTake));
	}

	private RequestAction decide() {
		return decide(post());
	}

	private static RLConfigBuilder rule(String id) {
		return RLConfig.builder(id).paths("/**").thresholds("1/1m");
	}

	private static RLConfigBuilder delaying() {
		return rule("delaying").algorithm(Algorithm.LEAKY_BUCKET)
			.thresholds(List.of(new RLThreshold(1, Duration.ofSeconds(1), 3)))
			.onLimit(OnLimit.DELAY);
	}

	private static RLConfigBuilder enqueueing() {
		return rule("enqueueing").algorithm(Algorithm.SLIDING_WINDOW_LOG).onLimit(new HandledLater());
	}

	private List<List<String>> asked() {
		return this.store.acquired()
			.stream()
			.map((call) -> call.stream().map((request) -> request.limit().rule()).toList())
			.toList();
	}

	private static List<String> rules(Refuse refusal) {
		return refusal.refusals().stream().map(RateLimitDecision::rule).toList();
	}

	@Test
	void anAdmittedRequestProceedsAndReportsWhatWasDecided() {
		this.routes = routes(rule("one").build());
		RateLimitContext context = post();
		assertThat(decide(context)).isEqualTo(new Proceed(true));
		assertThat(decide(context)).as("nothing is decided twice").isEqualTo(new Proceed(false));
		assertThat(context.reported()).hasSize(1);
	}

	@Test
	void aRequestThatNoRuleCountsHasNothingToReport() {
		this.routes = routes(rule("keyed").key("header:X-Key").onMissingKey(OnMissingKey.SKIP).build());
		assertThat(decide()).isEqualTo(new Proceed(false));
		assertThat(this.listener.events()).containsExactly("keyed SKIPPED");
	}

	@Test
	void aRefusalIsComputedAfterThePermitsOfOtherRulesAreReleased() {
		this.routes = routes(rule("narrow").build(), rule("wide").thresholds("9/1m").build());
		decide();
		assertThat(decide()).asInstanceOf(type(Refuse.class)).satisfies((refusal) -> {
			assertThat(rules(refusal)).containsExactly("narrow");
			assertThat(refusal.reported()).hasSize(2);
			assertThat(refusal.refusing()).map((match) -> match.route().rule().id()).contains("narrow");
		});
		assertThat(this.store.released()).containsExactly("wide");
	}

	@Test
	void aRequestWithoutTheKeyThatARuleRequiresIsRefusedByNoDecision() {
		this.routes = routes(rule("keyed").key("header:X-Key").onMissingKey(OnMissingKey.DENY).build(),
				rule("other").build());
		assertThat(decide()).asInstanceOf(type(Refuse.class)).satisfies((refusal) -> {
			assertThat(refusal.refusals()).isEmpty();
			assertThat(refusal.refusing()).isPresent();
		});
		assertThat(asked()).isEmpty();
	}

	@Test
	void anActionThatIsNotObtainedDecidesNothing() {
		this.routes = routes(delaying().build(), rule("other").build(), enqueueing().build());
		RateLimitContext context = post();
		assertThat(this.decider.decide(context, context.matches(), context.path(),
				new KnownFacts("POST", "/a", Map.of()), () -> this.mayTake))
			.isNotNull();
		assertThat(asked()).isEmpty();
		assertThat(this.ofModule).isEmpty();
		assertThat(decide(context)).isEqualTo(new Proceed(true));
		assertThat(context.reported()).hasSize(3);
	}

	@Test
	void aDelayedRequestAwaitsItsTurn() {
		this.routes = routes(delaying().build());
		decide();
		RateLimitContext context = post();
		assertThat(decide(context)).asInstanceOf(type(AwaitTurn.class)).satisfies((wait) -> {
			assertThat(wait.turn().rules()).containsExactly("delaying");
			assertThat(wait.turn().dueNanos()).isEqualTo(this.clock.nanoTime() + Duration.ofSeconds(1).toNanos());
			assertThat(this.decider.afterWait(context)).isEqualTo(new Proceed(false));
		});
		assertThat(context.delayedRequest()).isEmpty();
		assertThat(this.store.released()).isEmpty();
	}

	@Test
	void aRequestThatMayWaitNoLongerIsRefusedAndReleasesItsTurn() {
		this.routes = routes(delaying().build());
		decide();
		RateLimitContext context = post();
		AwaitTurn wait = (AwaitTurn) decide(context);
		assertThat(this.caller.obtain(this.decider.refuseWaiting(context, wait.turn(), true)))
			.asInstanceOf(type(Refuse.class))
			.satisfies((refusal) -> {
				assertThat(refusal.refusals()).containsExactly(new Unavailable("delaying", Duration.ofSeconds(1)));
				assertThat(refusal.refusing()).as("no rule refused it").isEmpty();
			});
		assertThat(this.store.released()).containsExactly("delaying");
	}

	@Test
	void delayingRulesComeFirstAndThoseOfTheModuleLast() {
		this.routes = routes(enqueueing().build(), rule("other").build(), delaying().build());
		assertThat(decide()).isEqualTo(new Proceed(true));
		assertThat(asked()).containsExactly(List.of("delaying"), List.of("other"), List.of("enqueueing"));
	}

	@Test
	void whereNoRuleDelaysAllAreDecidedInOneCallAndNoTimeIsTaken() {
		this.routes = routes(rule("one").build(), rule("other").build());
		decide();
		decide();
		assertThat(asked()).containsExactly(List.of("one", "other"), List.of("one", "other"));
		assertThat(this.clockReads).as("what a wait is counted from").hasValue(0);
	}

	/** A limit may belong to one caller; no rule, plan or override has it. */
	@Test
	void anAllowanceIsReportedWithItsOwnPolicy() {
		this.routes = routes(rule("r").build());
		RateLimitContext context = post();
		CompiledRule rule = context.matches().get(0).route().rule();
		CompiledAllowance own = CompiledAllowance.of(rule.config(),
				new Allowance.Limited(List.of(RLThreshold.valueOf("7/1h"))), Limit::ofOverride);
		RuleRequest ruleRequest = new RuleRequest(rule, own, new Subject("s"), 1);
		context.add(new RequestDecision(List.of(new RuleDecision(ruleRequest, new Unavailable("r", Duration.ZERO)))));
		assertThat(context.reported()).extracting(ReportedDecision::policyField).containsExactly("\"r\";q=7;w=3600");
	}

	@Test
	void aModuleThatMayNotTakeARequestIsNotAsked() {
		this.routes = routes(enqueueing().build());
		this.mayTake = false;
		decide();
		assertThat(decide()).isInstanceOf(Refuse.class);
		assertThat(this.ofModule).isEmpty();
	}

	@Test
	void aDecisionThatIsNotObtainedAsksNoModule() {
		this.routes = routes(enqueueing().build());
		RateLimitContext context = post();
		assertThat(this.decider.decide(context, context.matches(), context.path(),
				new KnownFacts("POST", "/a", Map.of()), () -> true))
			.isNotNull();
		assertThat(this.ofModule).isEmpty();
	}

	private TakeLater attempt(RateLimitContext context) {
		decide();
		return (TakeLater) decide(context);
	}

	@Test
	void aRequestThatAModuleHasTakenCountsAsAdmitted() {
		this.routes = routes(enqueueing().build(), rule("wide").thresholds("9/1m").build());
		RateLimitContext context = post();
		TakeLater attempt = attempt(context);
		assertThat(attempt.attempt().request().path()).isEqualTo("/a");
		assertThat(this.ofModule).containsExactly("enqueueing", "enqueueing");
		assertThat(this.caller.obtain(this.decider.answer(context, attempt, true)).route().rule().id())
			.isEqualTo("enqueueing");
		assertThat(context.reported()).extracting((one) -> one.decision().isAllowed()).containsExactly(true, true);
		assertThat(this.listener.events()).contains("enqueueing ENQUEUED by STORE");
		assertThat(this.store.released()).isEmpty();
	}

	@Test
	void aRequestThatAModuleAnswersAndHasNotTakenReleasesAll() {
		this.routes = routes(enqueueing().build(), rule("wide").thresholds("9/1m").build());
		RateLimitContext context = post();
		TakeLater attempt = attempt(context);
		assertThat(this.caller.obtain(this.decider.answer(context, attempt, false))).isNotNull();
		assertThat(this.listener.events()).contains("enqueueing REJECTED by STORE");
		assertThat(this.store.released()).containsExactly("wide");
	}

	@Test
	void aRequestThatAModuleHasNotTakenIsRefusedAsByAnyOtherRule() {
		this.routes = routes(rule("wide").thresholds("9/1m").build(), enqueueing().build());
		RateLimitContext context = post();
		TakeLater attempt = attempt(context);
		assertThat(this.caller.obtain(this.decider.refuse(context, attempt, true))).asInstanceOf(type(Refuse.class))
			.satisfies((refusal) -> {
				assertThat(rules(refusal)).containsExactly("enqueueing");
				assertThat(refusal.refusing()).map((match) -> match.route().rule().id()).contains("enqueueing");
			});
		assertThat(this.store.released()).containsExactly("wide");
	}

	/** A module that has no other requests. */
	private final class Handler implements LaterHandler {

		@Override
		public Standing standing(String rule, Subject subject, Duration maxWait) {
			RequestDeciderTests.this.ofModule.add(rule);
			return Standing.FREE;
		}

		@Override
		public Taking take(LaterRequest later, HttpServletRequest request, WaitBudget budget) {
			throw new UnsupportedOperationException();
		}

	}

}
