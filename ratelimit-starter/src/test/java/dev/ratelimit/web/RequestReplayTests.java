package dev.ratelimit.web;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.fixture.Beans;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.DecisionListener.Outcome;
import dev.ratelimit.limiter.Fallback;
import dev.ratelimit.limiter.IpRange;
import dev.ratelimit.limiter.RequestLimiter;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.limiter.TestLimiter;
import dev.ratelimit.limiter.outage.NamedRules;
import dev.ratelimit.rule.CountOn;
import dev.ratelimit.rule.OnMissingKey;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLConfigBuilder;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.store.memory.MemoryStore;
import dev.ratelimit.web.key.ClientAddresses;
import dev.ratelimit.web.key.RequestFacts;
import dev.ratelimit.web.servlet.ServletRequestFacts;
import org.junit.jupiter.api.Test;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;

class RequestReplayTests {

	private final MovableClock clock = new MovableClock();

	private RequestReplay replay(RLConfig... rules) {
		MemoryStore store = new MemoryStore(this.clock);
		RouteTable routes = new RouteTable(new CompiledRules(new RuleSet(List.of(rules)), 64, NamedRules.NONE),
				(id) -> false, new PathPatternParser(), List.of(), ActuatorPaths.NONE, Beans.NONE,
				new SubjectEncoder(64, ""), this.clock::nanoTime);
		RequestLimiter limiter = TestLimiter.over(store, this.clock)
			.source(Source.MEMORY)
			.fallback(Fallback.alone(store))
			.build();
		return new RequestReplay(routes, limiter, List.of(IpRange.parse("exempt.addresses", "10.0.0.0/8")));
	}

	private static RLConfigBuilder rule(String id) {
		return RLConfig.builder(id).paths("/**").thresholds("1/1m");
	}

	private static RequestFacts request(String path, String address) {
		return request("GET", path, address);
	}

	private static RequestFacts request(String method, String path, String address) {
		MockHttpServletRequest request = new MockHttpServletRequest(method, path);
		request.setRemoteAddr(address);
		return new ServletRequestFacts(request, path, new ClientAddresses(List.of(), false));
	}

	private static List<String> outcomes(RequestReplay replay, int status) {
		return replay.replay(request("/a", "192.0.2.1"), status)
			.stream()
			.map((one) -> one.rule().id() + " " + one.outcome().map(Outcome::name).orElse("not decided"))
			.toList();
	}

	@Test
	void aMethodThatNoRegistryAndNoRuleKnowsIsCoveredAsOverHttp() {
		RequestReplay replay = replay(rule("reads").methods("GET").build());
		assertThat(replay.replay(request("FOO", "/a", "192.0.2.1"), 200)).hasSize(1);
		assertThat(replay.replay(request("get", "/a", "192.0.2.1"), 200)).hasSize(1);
		assertThat(replay.replay(request("POST", "/a", "192.0.2.1"), 200)).isEmpty();
	}

	@Test
	void everyMatchingRuleReportsItsOutcome() {
		RequestReplay replay = replay(rule("tight").build(), rule("wide").thresholds("9/1m").build(),
				rule("keyed").key("header:X-Api-Key").onMissingKey(OnMissingKey.SKIP).build(),
				rule("elsewhere").paths("/b").build());
		assertThat(outcomes(replay, 200)).containsExactlyInAnyOrder("tight ALLOWED", "wide ALLOWED", "keyed SKIPPED");
		assertThat(outcomes(replay, 200)).containsExactlyInAnyOrder("tight REJECTED", "wide RELEASED", "keyed SKIPPED");
	}

	@Test
	void theKeyIsReportedAsItWasCounted() {
		Replayed counted = replay(rule("any").key("path:id").paths("/{id}").build())
			.replay(request("/%61", "192.0.2.1"), 200)
			.get(0);
		assertThat(counted.key()).containsExactly("a");
		assertThat(counted.decided()).isPresent();
		Replayed keyless = replay(rule("any").key("header:X-Api-Key").build()).replay(request("/a", "192.0.2.1"), 200)
			.get(0);
		assertThat(keyless.key()).isEmpty();
		assertThat(keyless.decided().orElseThrow().ruleRequest().subject().text()).isEqualTo("i192.0.2.1");
	}

	@Test
	void permitsThatTheOutcomeDoesNotCountAreReleased() {
		RequestReplay replay = replay(rule("failures").countOn(CountOn.valueOf("failure")).build());
		assertThat(outcomes(replay, 200)).containsExactly("failures ALLOWED");
		assertThat(outcomes(replay, 500)).containsExactly("failures ALLOWED");
		assertThat(outcomes(replay, 200)).containsExactly("failures REJECTED");
	}

	@Test
	void aPartOfASuccessCountsAsTheWhole() {
		RequestReplay replay = replay(rule("full").countOn(CountOn.valueOf("200")).build());
		assertThat(outcomes(replay, 404)).containsExactly("full ALLOWED");
		assertThat(outcomes(replay, 206)).containsExactly("full ALLOWED");
		assertThat(outcomes(replay, 200)).containsExactly("full REJECTED");
	}

	@Test
	void noRuleIsDecidedOnceOneRefusesForLackOfAKey() {
		RequestReplay replay = replay(rule("keyed").key("header:X-Api-Key").onMissingKey(OnMissingKey.DENY).build(),
				rule("other").build());
		assertThat(outcomes(replay, 200)).containsExactlyInAnyOrder("keyed REJECTED", "other not decided");
		assertThat(replay.replay(request("/a", "192.0.2.1"), 200))
			.allSatisfy((one) -> assertThat(one.decided()).isEqualTo(Optional.empty()));
	}

	@Test
	void aRequestOfAnExemptAddressMatchesNothing() {
		RequestReplay replay = replay(rule("any").build());
		assertThat(replay.replay(request("/a", "10.1.2.3"), 200)).isEmpty();
		assertThat(replay.replay(request("/a", "11.1.2.3"), 200)).hasSize(1);
	}

	@Test
	void aPathThatMvcCannotParseIsStillCovered() {
		assertThat(replay(rule("any").build()).replay(request("/%zz", "192.0.2.1"), 200)).hasSize(1);
	}

}
