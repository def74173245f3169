package dev.ratelimit.rule.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.fixture.OtherScope;
import dev.ratelimit.rule.OpenChoice;
import dev.ratelimit.spi.RateLimitModule;
import dev.ratelimit.spi.RulesNotEnforceableException;
import org.junit.jupiter.api.Test;

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

}
