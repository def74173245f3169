package dev.ratelimit.rule.config;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import dev.ratelimit.spi.InvalidSettingsException;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Any settings are read as rules, or refused with a list of problems.
 */
class AnySettingsTests {

	@Property(tries = 300)
	void anySettingsAreReadAsRulesOrRefusedWithProblems(@ForAll("properties") Map<String, String> properties) {
		Throwable thrown = catchThrowable(() -> new TestSources().andProperties(new HashMap<>(properties))
			.andVariables(variables(properties))
			.read());
		if (thrown != null) {
			assertThat(thrown).isInstanceOfSatisfying(InvalidSettingsException.class,
					(ex) -> assertThat(ex.problems()).isNotEmpty()
						.allSatisfy((problem) -> assertThat(problem.cure()).isNotBlank()));
		}
	}

	@Provide
	Arbitrary<Map<String, String>> properties() {
		Arbitrary<String> key = Arbitraries.of("enabled", "methods", "paths", "paths[0]", "paths[1]", "key", "stage",
				"thresholds", "thresholds[0]", "thresholds[0].window", "thresholds[0].threshold", "thresholds[0].burst",
				"algorithm", "rounding", "refill", "count-rejected", "on-missing-key", "when", "cost", "count-on",
				"count-on[0]", "plan-key", "plans", "plans.free", "plans.free[0]", "plans.free[1].window",
				"plans.[a[0]", "overrides", "overrides[0]", "overrides[0].key", "overrides[1].key[0]",
				"overrides[0].thresholds", "overrides[0].thresholds[0]", "on-limit", "max-wait", "max-queue",
				"enqueue.headers", "enqueue.headers[0]", "enqueue.max-body", "enqueue", "refusal.status",
				"refusal.body", "refusal.content-type", "shadow", "");
		Arbitrary<String> garbage = Arbitraries.strings().ofMaxLength(12);
		Arbitrary<String> rule = Arbitraries.oneOf(Arbitraries.of("a", "a-b", "ab", "A", "[x.y]", "[x[0]", "2"),
				garbage);
		Arbitrary<String> name = Arbitraries.oneOf(
				rule.flatMap((id) -> key.map((text) -> "ratelimit.rules." + id + "." + text)),
				key.map((text) -> "ratelimit.defaults." + text), garbage.map((text) -> "ratelimit." + text));
		Arbitrary<String> value = Arbitraries.oneOf(garbage,
				Arbitraries.of("true", "GET", "/a", "/{x}", "5/1s", "5", "1s", "ip", "header:X", "path:x", "${x}", "",
						"token-bucket", "fixed-window", "up", "interval", "unlimited", "blocked", "failure", "402, 5xx",
						"delay", "enqueue", "64KB"),
				Arbitraries.strings().withChars("/{}[]:,*?%0123456789smhd").ofMaxLength(20));
		return Arbitraries.maps(name, value).ofMaxSize(6);
	}

	private static Map<String, Object> variables(Map<String, String> properties) {
		Map<String, Object> variables = new HashMap<>();
		for (String name : List.copyOf(properties.keySet())) {
			variables.put(name.toUpperCase(Locale.ROOT).replaceAll("[.\\[\\]-]", "_"), "5/1s");
		}
		return variables;
	}

}
