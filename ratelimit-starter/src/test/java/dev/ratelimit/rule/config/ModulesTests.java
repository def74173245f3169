package dev.ratelimit.rule.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.fixture.OtherScope;
import dev.ratelimit.rule.ChoiceTerms;
import dev.ratelimit.rule.OpenChoice;
import dev.ratelimit.rule.RuleKey;
import dev.ratelimit.rule.RuleOption;
import dev.ratelimit.rule.RuleValues;
import dev.ratelimit.spi.RateLimitModule;
import dev.ratelimit.spi.RulesNotEnforceableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ModulesTests {

	private record Module(String artifact, Map<String, Class<? extends Record>> settings,
			List<? extends OpenChoice> choices) implements RateLimitModule {
	}

	private record Settings(int depth) {
	}

	private static Module module(String artifact) {
		return new Module(artifact, Map.of(artifact, Settings.class), List.of());
	}

	private static Optional<String> version(Class<?> type) {
		return Optional.of((type == RateLimitModule.class) ? "2.0.0" : "1.9.0");
	}

	@Test
	void aModuleOfAnotherVersionIsRefused() {
		Modules modules = new Modules(List.of(module("deep")));
		assertThatExceptionOfType(RulesNotEnforceableException.class)
			.isThrownBy(() -> modules.requireFit(ModulesTests::version))
			.withMessageContaining("deep has version 1.9.0, and ratelimit-starter 2.0.0")
			.withMessageContaining("ratelimit-bom");
	}

	@Test
	void oneVersionGoesTogetherAndSoDoesAModuleThatIsInNoJar() {
		Modules modules = new Modules(List.of(module("deep"), module("wide")));
		modules.requireFit((type) -> Optional.of("1.9.0"));
		modules.requireFit((type) -> (type == RateLimitModule.class) ? Optional.of("1.9.0") : Optional.empty());
		assertThat(modules.settings(Map.of())).containsOnlyKeys("deep.depth", "wide.depth");
	}

	@Test
	void twoModulesThatAddOneNameAreRefused() {
		Module one = new Module("one", Map.of(), List.of(OtherScope.ELSEWHERE));
		Module other = new Module("other", Map.of(), List.of(OtherScope.ELSEWHERE));
		assertThatExceptionOfType(RulesNotEnforceableException.class)
			.isThrownBy(() -> new Modules(List.of(one, other)).requireFit((type) -> Optional.empty()))
			.withMessageContaining("one and other both add scope: elsewhere");
		Module same = new Module("same", Map.of("deep", Settings.class), List.of());
		assertThatExceptionOfType(RulesNotEnforceableException.class)
			.isThrownBy(() -> new Modules(List.of(module("deep"), same)).requireFit((type) -> Optional.empty()))
			.withMessageContaining("deep and same both add ratelimit.deep");
	}

	@Test
	void aModuleThatAddsWhatTheStarterHasIsRefusedInAnySpelling() {
		Module reject = new Module("own", Map.of(), List.of(new Choice(RuleKey.ON_LIMIT, "Re-ject", List.of())));
		assertThatExceptionOfType(RulesNotEnforceableException.class)
			.isThrownBy(() -> new Modules(List.of(reject)).requireFit((type) -> Optional.empty()))
			.withMessageStartingWith("The modules of the rate limiter do not go together")
			.withMessageContaining("ratelimit-starter and own both add on-limit: Re-ject");
	}

	private record Choice(RuleKey key, String text, List<RuleOption> options) implements OpenChoice {

		@Override
		public ChoiceTerms terms(RuleValues values) {
			throw new UnsupportedOperationException();
		}

	}

	/** Documented spellings; a rule id may have dashes. */
	@ParameterizedTest
	@ValueSource(strings = { "RATELIMIT_RULES_ORDERS_ENQUEUE_MAXBODY", "RATELIMIT_RULES_ORDERS_ENQUEUE_MAX_BODY",
			"RATELIMIT_RULES_MY_ORDERS_ENQUEUE_MAXBODY", "RATELIMIT_RULES_MY_ORDERS_ENQUEUE_MAX_BODY",
			"RATELIMIT_DEFAULTS_ENQUEUE_MAX_TOTAL", "RATELIMIT_QUEUE_WORKERS",
			"RATELIMIT_RULES_ORDERS_GUARANTEED_SHARE" })
	void aVariableOfAModuleThatIsMissingNamesTheModule(String variable) {
		assertThat(new TestSources().andYaml("ratelimit.rules.my-orders: {thresholds: 1/1m}")
			.andVariables(Map.of(variable, "1"))
			.read()
			.warnings()).singleElement().asString().contains("belongs to ratelimit-starter-");
	}

	@ParameterizedTest
	@ValueSource(strings = { "enqueue: 1", "enqueue.max-body: 1KB", "guaranteed-share: 1%" })
	void aKeyOfAModuleThatIsMissingNamesTheModule(String key) {
		assertThat(TestSources.yaml("ratelimit.rules.orders:\n  thresholds: 1/1m\n  " + key).problems()).singleElement()
			.satisfies((problem) -> assertThat(problem.reason()).contains("belongs to ratelimit-starter-"));
	}

}
