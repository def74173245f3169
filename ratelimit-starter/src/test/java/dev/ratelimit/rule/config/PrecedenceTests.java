package dev.ratelimit.rule.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleCatalogue;
import dev.ratelimit.rule.RuleKey;
import dev.ratelimit.spi.InvalidSettingsException;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How several property sources make one rule.
 */
class PrecedenceTests {

	private static final String BASE = """
			ratelimit:
			  rules:
			    get-product:
			      paths: [/a, /b]
			      thresholds: [10/1s, 20/10s]
			      key: ip
			""";

	@Test
	void singleValuesAreOverriddenAloneAndRulesAreMerged() {
		LoadedRules loaded = TestSources.yaml("""
				ratelimit.rules:
				  get-product.key: global
				  login.thresholds: 5/1m
				""").andYaml(BASE).read();
		assertThat(loaded.rules().rules()).extracting(RLConfig::id).containsExactly("get-product", "login");
		assertThat(loaded.rules().find("get-product")).hasValue(
				RLConfig.builder("get-product").paths("/a", "/b").thresholds("10/1s", "20/10s").key("global").build());
	}

	@Test
	void keysThatRestrictEachOtherHaveAnOrder() {
		assertThat(CatalogueReader.CHOICES).doesNotHaveDuplicates()
			.containsExactlyInAnyOrderElementsOf(Stream.of(RuleKey.values())
				.filter((key) -> RuleCatalogue.STARTER.group(key) == RuleCatalogue.Group.CHOICE)
				.toList());
	}

	@Test
	void listsAreTakenWholeFromTheFirstSourceThatHasThem() {
		assertThat(TestSources.yaml("ratelimit.rules.get-product: {paths: [/c], thresholds: 7/1s}")
			.andYaml(BASE)
			.read()
			.rules()
			.find("get-product")).hasValue(RLConfig.builder("get-product").paths("/c").thresholds("7/1s").build());
	}

	@Test
	void aPartOfALongThresholdAloneIsNotMergedButRefused() {
		assertThat(new TestSources().andVariables(Map.of("RATELIMIT_RULES_LOGIN_THRESHOLDS_0_THRESHOLD", "9"))
			.andYaml("ratelimit.rules.login.thresholds: [{threshold: 5, window: 1m}]")
			.problems()).singleElement().satisfies((problem) -> {
				assertThat(problem.property()).isEqualTo("ratelimit.rules.login.thresholds[0].window");
				assertThat(problem.reason()).isEqualTo("is missing");
				assertThat(problem.cure()).contains("a list is taken whole");
				assertThat(problem.origin()).hasValueSatisfying((origin) -> assertThat(origin.toString())
					.contains("RATELIMIT_RULES_LOGIN_THRESHOLDS_0_THRESHOLD"));
			});
	}

	@Test
	void aWrongValueThatIsOverriddenDoesNoHarm() {
		assertThat(TestSources.yaml("ratelimit.rules.get-product.key: ip")
			.andYaml("ratelimit.rules.get-product: {key: nonsense, thresholds: 1/s}")
			.read()
			.rules()
			.rules()).hasSize(1);
	}

	@Test
	void aRuleMayOverrideADefaultOfAHigherSource() {
		assertThat(TestSources.yaml("ratelimit.defaults.key: global").andYaml(BASE).read().rules().find("get-product"))
			.hasValueSatisfying((rule) -> assertThat(rule.key().sources()).hasToString("[ip]"));
	}

	@Test
	void environmentVariablesMayOmitAllDashesOrWriteAllAsUnderscores() {
		LoadedRules loaded = new TestSources()
			.andVariables(Map.of("RATELIMIT_RULES_GETPRODUCT_ENABLED", "false",
					"RATELIMIT_RULES_GET_PRODUCT_COUNT_REJECTED", "true", "RATELIMIT_RULES_GETPRODUCT_ONSTOREFAILURE",
					"deny", "RATELIMIT_RULES_GET_PRODUCT_PATHS_0_", "/env"))
			.andYaml(BASE)
			.read();
		assertThat(loaded.warnings()).isEmpty();
		assertThat(loaded.rules().rules()).singleElement().satisfies((rule) -> {
			assertThat(rule.id()).isEqualTo("get-product");
			assertThat(rule.enabled()).isFalse();
			assertThat(rule.counting().countRejected()).isTrue();
			assertThat(rule.enforcement().onStoreFailure()).hasToString("DENY");
			assertThat(rule.requests().paths()).containsExactly("/env");
		});
	}

	/** As Boot, which finds no such variable. */
	@Test
	void anEnvironmentVariableWithOnlySomeUnderscoresIsUnknown() {
		LoadedRules loaded = new TestSources().andVariables(Map.of("RATELIMIT_RULES_GET_PRODUCT_COUNTREJECTED", "true"))
			.andYaml(BASE)
			.read();
		assertThat(loaded.warnings())
			.containsExactly("The environment variable RATELIMIT_RULES_GET_PRODUCT_COUNTREJECTED"
					+ " looks like a setting of the rate limiter but belongs to none, and is ignored."
					+ " Write RATELIMIT_RULES_GETPRODUCT_COUNTREJECTED");
		assertThat(loaded.rules().rules()).singleElement()
			.satisfies((rule) -> assertThat(rule.counting().countRejected()).isFalse());
	}

	@Test
	void anEnvironmentVariableReachesARuleWithANumberInItsId() {
		assertThat(new TestSources().andVariables(Map.of("RATELIMIT_RULES_LOGIN_2_THRESHOLDS", "7/1s"))
			.andYaml("ratelimit.rules.login-2.thresholds: 5/1m")
			.read()
			.rules()
			.rules()).containsExactly(RLConfig.builder("login-2").thresholds("7/1s").build());
	}

	@Test
	void environmentVariablesAloneMakeARule() {
		assertThat(new TestSources()
			.andVariables(Map.of("RATELIMIT_RULES_LOGIN_THRESHOLDS_0_", "5/1m",
					"RATELIMIT_RULES_LOGIN_THRESHOLDS_1_THRESHOLD", "9", "RATELIMIT_RULES_LOGIN_THRESHOLDS_1_WINDOW",
					"1h", "RATELIMIT_RULES_LOGIN_ONMISSINGKEY", "deny"))
			.read()
			.rules()
			.rules()).singleElement().satisfies((rule) -> {
				assertThat(rule.id()).isEqualTo("login");
				assertThat(rule.allowances().thresholds()).hasToString("[5/1m, 9/1h]");
				assertThat(rule.key().onMissing()).hasToString("DENY");
			});
	}

	@Test
	void theOrderOfEnvironmentVariablesDoesNotMatter() {
		Map<String, Object> variables = new LinkedHashMap<>();
		variables.put("RATELIMIT_RULES_GETPRODUCT_COUNT_REJECTED", "true");
		variables.put("RATELIMIT_RULES_GETPRODUCT_THRESHOLDS", "5/1m");
		assertThat(new TestSources().andVariables(variables).read().rules().rules())
			.containsExactly(RLConfig.builder("getproduct").thresholds("5/1m").countRejected(true).build());
	}

	@Test
	void systemPropertiesMaySpellAnIdInCamelCase() {
		assertThat(new TestSources().andProperties(Map.of("ratelimit.rules.getProduct.enabled", "false"))
			.andYaml(BASE)
			.read()
			.rules()
			.rules()).singleElement().satisfies((rule) -> {
				assertThat(rule.id()).isEqualTo("get-product");
				assertThat(rule.enabled()).isFalse();
			});
	}

	@Test
	void thePrefixOfAnApplicationStandsBeforeItsVariables() {
		StandardEnvironment environment = new StandardEnvironment();
		String name = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
		environment.getPropertySources()
			.replace(name, new SystemEnvironmentPropertySource(name, Map.of("MY_APP_RATELIMIT_RULES_LOGIN_THRESHOLDS",
					"5/1m", "MY", "x", "MYAPPRATELIMIT_RULES", "x", "RATELIMIT_RULES_OTHER_THRESHOLDS", "5/1m")));
		SpringApplication application = new SpringApplication(Object.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		application.setEnvironment(environment);
		application.setEnvironmentPrefix("my.app");
		try (ConfigurableApplicationContext context = application.run()) {
			assertThat(new EnvironmentRuleSource(context.getEnvironment(), Map.of()).load().rules())
				.containsExactly(RLConfig.builder("login").thresholds("5/1m").build());
		}
	}

	@Test
	void theSecondWindowOfAPlanIsNotThePlanWithThatNumber() {
		assertThat(new TestSources().andYaml("""
				ratelimit.rules.a:
				  thresholds: 1/1s
				  plan-key: header:X-Plan
				  plans:
				    v: [5/1s, 10/1m]
				    v1: 20/1m
				""").read().rules().rules()).singleElement()
			.satisfies((rule) -> assertThat(rule.allowances().limits())
				.hasToString("{thresholds=[1/1s], plans.v=[5/1s, 10/1m], plans.v1=[20/1m]}"));
	}

	@Test
	void aNameInBracketsIsUnknownAndNotAFailure() {
		TestSources sources = new TestSources().andProperties(Map.of("ratelimit[datacenter.peers]", "x"));
		assertThatExceptionOfType(InvalidSettingsException.class).isThrownBy(sources::read)
			.withMessageContaining("ratelimit[datacenter.peers]");
	}

}
