package dev.ratelimit.store.redis;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.redis.resp.Script;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.aot.AotServices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * The scripts as resources.
 */
class ScriptTests {

	@ParameterizedTest
	@EnumSource(Algorithm.class)
	@DisplayName("E5, E9: the shipped script differs from the tested one by its clock only, which is Redis' own")
	void onlyTheClockIsExchangedInTests(Algorithm algorithm) {
		String clock = Script.read("Clock.lua");
		assertThat(AlgorithmScripts.load().get(algorithm).take().text()).asString(StandardCharsets.UTF_8)
			.isEqualTo(InjectedTime.script(algorithm).replace(InjectedTime.CLOCK, clock));
		assertThat(clock).contains("redis.call('TIME')").doesNotContain("ARGV");
		assertThat(InjectedTime.body(algorithm)).doesNotContain("TIME'");
		assertThat(InjectedTime.CLOCK).contains("ARGV[#ARGV]").doesNotContain("redis.");
	}

	@Test
	void aScriptIsIdentifiedByTheSha1OfItsText() {
		assertThat(Script.of("return 1").sha()).asString(StandardCharsets.US_ASCII)
			.isEqualTo("e0e1f9fabfc9d4800c877a703b823ac0578ff8db");
	}

	@Test
	@DisplayName("1.20: a script that is missing from the class path stops the start and is named")
	void aMissingScriptIsNamed() {
		assertThatIllegalStateException().isThrownBy(() -> Script.load("Missing.lua"))
			.withMessageContaining("dev/ratelimit/store/redis/Missing.lua is missing from the class path");
	}

	@Test
	void aNativeImageContainsTheScripts() throws IOException {
		RuntimeHints hints = new RuntimeHints();
		AotServices.factories()
			.load(RuntimeHintsRegistrar.class)
			.asList()
			.forEach((registrar) -> registrar.registerHints(hints, getClass().getClassLoader()));
		assertThat(scripts()).contains("Clock.lua", "SlidingWindowLog.lua", "Eviction.lua")
			.allSatisfy((script) -> assertThat(
					RuntimeHintsPredicates.resource().forResource("dev/ratelimit/store/redis/" + script))
				.accepts(hints));
	}

	private static List<String> scripts() throws IOException {
		try (Stream<Path> files = Files.list(Path.of("src/main/resources/dev/ratelimit/store/redis"))) {
			return files.map((file) -> file.getFileName().toString()).toList();
		}
	}

}
