package dev.ratelimit.rule.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.KeySource;
import dev.ratelimit.rule.OnMissingKey;
import dev.ratelimit.rule.OnStoreFailure;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.Refill;
import dev.ratelimit.rule.Rounding;
import dev.ratelimit.rule.Stage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Valid rules, and how they are read.
 */
class ReadRulesTests {

	@Test
	void theShortestRuleHasTheDocumentedDefaults() {
		RLConfig rule = only("""
				ratelimit.rules.login.thresholds: 5/1m
				""");
		assertThat(rule).isEqualTo(RLConfig.builder("login").thresholds("5/1m").build());
		assertThat(rule.enabled()).isTrue();
		assertThat(rule.requests().methods()).isEmpty();
		assertThat(rule.requests().paths()).isEmpty();
		assertThat(rule.key().sources()).containsExactly(KeySource.valueOf("ip"));
		assertThat(rule.key().onMissing()).isEqualTo(OnMissingKey.IP);
		assertThat(rule.requests().stage()).isEqualTo(Stage.AUTO);
		assertThat(rule.counting().algorithm()).isEqualTo(Algorithm.SLIDING_WINDOW_LOG);
		assertThat(rule.counting().rounding()).isEqualTo(Rounding.DOWN);
		assertThat(rule.counting().refill()).isEqualTo(Refill.CONTINUOUS);
		assertThat(rule.counting().countRejected()).isFalse();
		assertThat(rule.enforcement().onStoreFailure()).isEqualTo(OnStoreFailure.LOCAL);
	}

	@Test
	void everyKeyOfARuleIsRead() {
		RLConfig rule = only("""
				ratelimit:
				  rules:
				    get-product:
				      enabled: false
				      methods: GET, put
				      paths:
				        - /v1/organizations/{orgId}/product/**
				        - /v2/{orgId}
				      key: [path:orgId, header:X-Api-Key]
				      on-missing-key: deny
				      stage: after-security
				      algorithm: sliding-window-log
				      thresholds: 500/2s, 2000/10s
				      count-rejected: yes
				      on-store-failure: allow
				""");
		assertThat(rule).isEqualTo(RLConfig.builder("get-product")
			.enabled(false)
			.methods("GET", "PUT")
			.paths("/v1/organizations/{orgId}/product/**", "/v2/{orgId}")
			.key("path:orgId", "header:X-Api-Key")
			.onMissingKey(OnMissingKey.DENY)
			.stage(Stage.AFTER_SECURITY)
			.thresholds("500/2s", "2000/10s")
			.countRejected(true)
			.onStoreFailure(OnStoreFailure.ALLOW)
			.build());
	}

	@Test
	void shortAndLongThresholdsMayStandInOneList() {
		assertThat(only("""
				ratelimit:
				  rules:
				    login:
				      thresholds:
				        - threshold: 5
				          window: 1m
				        - 20/day
				        - {threshold: "10", window: hour}
				""").allowances().thresholds()).containsExactly(new RLThreshold(5, Duration.ofMinutes(1)),
				new RLThreshold(20, Duration.ofDays(1)), new RLThreshold(10, Duration.ofHours(1)));
	}

	@ParameterizedTest(name = "{0}")
	@CsvSource({ "CONF-007 quoted number,10,1s,1000", "CONF-013 part of a second,10,1500ms,1500",
			"CONF-015 more milliseconds than an int,10,25d,2160000000", "CONF-016 a year,10,366d,31622400000",
			"the longest window,10,400d,34560000000", "the shortest window,10,1ms,1" })
	void windowsArePreciseToTheMillisecond(String name, String threshold, String window, long millis) {
		assertThat(only("ratelimit.rules.a.thresholds: [{threshold: \"%s\", window: %s}]".formatted(threshold, window))
			.allowances()
			.thresholds()).containsExactly(new RLThreshold(10, Duration.ofMillis(millis)));
	}

	/** CONF-022. */
	@Test
	void registeredMethodsAreTheSameInEitherCaseAndOthersAreTakenLiterally() {
		assertThat(only(
				"ratelimit.rules.a: {methods: [get, Post, query, Version-Control, Gte, M-Search], paths: /x, thresholds: 1/s}")
			.requests()
			.methods()).containsExactly("GET", "POST", "QUERY", "VERSION-CONTROL", "Gte", "M-Search");
	}

	@Test
	void aCommaInsideBracesDoesNotSplitAPath() {
		assertThat(only("ratelimit.rules.a: {paths: '/a/{id:[0-9,]{1,9}}, /b/{x:[a,b]}/c', thresholds: 1/s}").requests()
			.paths()).containsExactly("/a/{id:[0-9,]{1,9}}", "/b/{x:[a,b]}/c");
	}

	@Test
	void placeholdersAreResolved() {
		TestSources sources = TestSources.yaml("""
				ratelimit.rules.a: {paths: "${base}/x, ${other:/y}", thresholds: "${quota}/1s"}
				""").andProperties(Map.of("base", "/v1", "quota", 7));
		assertThat(sources.read().rules().find("a")).hasValueSatisfying((rule) -> {
			assertThat(rule.requests().paths()).containsExactly("/v1/x", "/y");
			assertThat(rule.allowances().thresholds()).containsExactly(RLThreshold.valueOf("7/1s"));
		});
	}

	@Test
	void namesAreRelaxed() {
		assertThat(only("""
				rateLimit:
				  rules:
				    login: {countRejected: true, on_store_failure: DENY, onMissingKey: Skip, thresholds: 5/1m}
				""")).isEqualTo(RLConfig.builder("login")
			.countRejected(true)
			.onStoreFailure(OnStoreFailure.DENY)
			.onMissingKey(OnMissingKey.SKIP)
			.thresholds("5/1m")
			.build());
	}

	@Test
	void aNumberMayBeAnId() {
		assertThat(only("ratelimit: {rules: {2: {thresholds: 5/1m}}}").id()).isEqualTo("2");
	}

	@Test
	void rulesKeepTheOrderOfTheirDeclaration() {
		assertThat(TestSources.yaml("""
				ratelimit.rules:
				  zebra.thresholds: 1/s
				  ant.thresholds: 1/s
				  mule.thresholds: 1/s
				""").read().rules().rules()).extracting(RLConfig::id).containsExactly("zebra", "ant", "mule");
	}

	@Test
	void defaultsApplyUnlessTheRuleOverridesThem() {
		List<RLConfig> rules = TestSources.yaml("""
				ratelimit:
				  defaults:
				    enabled: false
				    key: [principal, ip]
				    on-store-failure: deny
				    count-rejected: true
				  rules:
				    plain: {thresholds: 1/s}
				    own: {thresholds: 1/s, enabled: true, key: session, on-store-failure: allow, count-rejected: false}
				""").read().rules().rules();
		assertThat(rules).containsExactly(
				RLConfig.builder("plain")
					.enabled(false)
					.key("principal", "ip")
					.onStoreFailure(OnStoreFailure.DENY)
					.countRejected(true)
					.thresholds("1/s")
					.build(),
				RLConfig.builder("own").key("session").onStoreFailure(OnStoreFailure.ALLOW).thresholds("1/s").build());
	}

	@Test
	void settingsWithoutThePrefixAreNoRules() {
		assertThat(TestSources.yaml("spring.application.name: shop").read().rules().rules()).isEmpty();
	}

	private static RLConfig only(String yaml) {
		List<RLConfig> rules = TestSources.yaml(yaml).read().rules().rules();
		assertThat(rules).hasSize(1);
		return rules.get(0);
	}

}
