package dev.ratelimit.rule.config;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.OnLimit;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.Refusal;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * What happens to requests over the limit of a rule, as set by the rule or by the
 * defaults.
 */
class ReadOnLimitTests {

	@Test
	void aRuleRejectsByDefault() {
		assertThat(read("""
				ratelimit.rules:
				  silent: {thresholds: 5/1m}
				  reject: {on-limit: REJECT, thresholds: 5/1m}
				""")).extracting((rule) -> rule.enforcement().onLimit()).containsOnly(OnLimit.REJECT);
	}

	@Test
	void delaysAreReadWithTheirBounds() {
		assertThat(read("""
				ratelimit.rules:
				  auto: {on-limit: delay, thresholds: 5/1m}
				  all: {on-limit: delay, max-wait: 500ms, max-queue: 7, thresholds: 5/1m}
				  leak: {on-limit: delay, max-wait: 1m, algorithm: leaky-bucket, thresholds: 5/1m}
				""")).extracting((rule) -> rule.enforcement().onLimit())
			.containsExactly(OnLimit.DELAY, new OnLimit.Delay(Duration.ofMillis(500), 7),
					new OnLimit.Delay(Duration.ofMinutes(1), 100));
	}

	@Test
	void aDefaultIsUsedIfItFitsTheRule() {
		assertThat(read("""
				ratelimit:
				  defaults: {on-limit: delay, max-wait: 3s, max-queue: 9}
				  rules:
				    log: {thresholds: 5/1m}
				    own: {max-wait: 1s, thresholds: 5/1m}
				    leak: {algorithm: leaky-bucket, thresholds: 5/1m}
				    reject: {on-limit: reject, thresholds: 5/1m}
				    bucket: {algorithm: token-bucket, thresholds: 5/1m}
				    leased: {mode: leased, thresholds: 5/1m}
				    hammered: {count-rejected: true, thresholds: 5/1m}
				    failures: {count-on: failure, thresholds: 5/1m}
				""")).extracting((rule) -> rule.enforcement().onLimit())
			.containsExactly(new OnLimit.Delay(Duration.ofSeconds(3), 9), new OnLimit.Delay(Duration.ofSeconds(1), 9),
					new OnLimit.Delay(Duration.ofSeconds(3), 9), OnLimit.REJECT, OnLimit.REJECT, OnLimit.REJECT,
					OnLimit.REJECT, OnLimit.REJECT);
	}

	@Test
	void defaultsThatContradictOnLimitAreNotUsed() {
		assertThat(read("""
				ratelimit:
				  defaults: {mode: leased}
				  rules.waiting: {on-limit: delay, thresholds: 5/1m}
				""")).singleElement().satisfies((rule) -> {
			assertThat(rule.enforcement().onLimit()).isEqualTo(OnLimit.DELAY);
			assertThat(rule.counting().mode()).isEqualTo(Mode.STRICT);
		});
		assertThat(read("""
				ratelimit:
				  defaults: {count-on: failure, algorithm: leaky-bucket}
				  rules.waiting: {on-limit: delay, thresholds: 5/1m}
				""")).singleElement().satisfies((rule) -> {
			assertThat(rule.counting().countOn().isAlways()).isTrue();
			assertThat(rule.counting().algorithm()).isEqualTo(Algorithm.LEAKY_BUCKET);
		});
	}

	@Test
	void defaultsOfWhichNoAlgorithmSupportsBothApplyToDifferentRules() {
		assertThat(read("""
				ratelimit:
				  defaults: {mode: synced, on-limit: delay}
				  rules:
				    log: {thresholds: 5/1m}
				    fixed: {algorithm: fixed-window, thresholds: 5/1m}
				""")).extracting((rule) -> rule.counting().mode().kind(), (rule) -> rule.enforcement().onLimit().kind())
			.containsExactly(tuple(Mode.ModeKind.STRICT, OnLimit.OnLimitKind.DELAY),
					tuple(Mode.ModeKind.SYNCED, OnLimit.OnLimitKind.REJECT));
	}

	/** By its bytes: the sign takes two. */
	@Test
	void theLargestBodyIsBounded() {
		assertThat(body(32 * 1024).read().rules().rules()).hasSize(1);
		assertThat(body(32 * 1024 + 1).problems()).singleElement().satisfies((problem) -> {
			assertThat(problem.property()).isEqualTo("ratelimit.rules.a.refusal.body");
			assertThat(problem.value()).isEqualTo("65538B");
			assertThat(problem.reason()).isEqualTo("is out of range");
			assertThat(problem.cure()).startsWith("Write at most 64KB");
		});
	}

	private static TestSources body(int signs) {
		return TestSources
			.yaml("ratelimit.rules.a: {thresholds: 5/1m, refusal.body: '%s'}".formatted("\u00e4".repeat(signs)));
	}

	@Test
	void aRuleDefinesTheResponseToARefusedRequestOrTheDefaultsDo() {
		assertThat(read("""
				ratelimit:
				  rules:
				    silent: {thresholds: 5/1m}
				    status: {refusal.status: 503, thresholds: 5/1m}
				    json: {refusal.body: '{"busy": true}', thresholds: 5/1m}
				    text: {refusal: {status: 420, body: busy, content-type: text/plain}, thresholds: 5/1m}
				""")).extracting((rule) -> rule.enforcement().refusal())
			.containsExactly(Refusal.PROBLEM, new Refusal(503, Optional.empty()),
					refusal(429, "{\"busy\": true}", "application/json"),
					refusal(420, "busy", "text/plain;charset=UTF-8"));
		assertThat(read("""
				ratelimit:
				  defaults.refusal: {status: 503, body: <busy/>, content-type: application/xml}
				  rules:
				    silent: {thresholds: 5/1m}
				    own: {refusal.body: <slower/>, thresholds: 5/1m}
				    other: {refusal: {status: 429, content-type: text/xml}, thresholds: 5/1m}
				""")).extracting((rule) -> rule.enforcement().refusal())
			.containsExactly(refusal(503, "<busy/>", "application/xml"), refusal(503, "<slower/>", "application/xml"),
					refusal(429, "<busy/>", "text/xml;charset=UTF-8"));
		assertThat(read("""
				ratelimit:
				  defaults.refusal.content-type: TEXT/html
				  rules:
				    silent: {thresholds: 5/1m}
				    own: {refusal.body: <busy/>, thresholds: 5/1m}
				""")).extracting((rule) -> rule.enforcement().refusal())
			.containsExactly(Refusal.PROBLEM, refusal(429, "<busy/>", "TEXT/html;charset=UTF-8"));
	}

	private static Refusal refusal(int status, String body, String contentType) {
		return new Refusal(status, Optional.of(new Refusal.Body(body, contentType)));
	}

	private static List<RLConfig> read(String yaml) {
		return TestSources.yaml(yaml).read().rules().rules();
	}

}
