package dev.ratelimit.rule.source;

import java.util.stream.Stream;

import dev.ratelimit.rule.source.WrongRulesTests.Wrong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static dev.ratelimit.rule.source.WrongRulesTests.wrong;

/**
 * Wrong settings of the scope of a rule.
 */
class WrongScopesTests {

	private static final String EVERYWHERE = "scope: everywhere\nalgorithm: fixed-window\n";

	static Stream<Wrong> scopes() {
		return Stream.of(
				wrong("shared log", "scope: everywhere", "scope", "everywhere",
						"does not go with algorithm sliding-window-log", "Use algorithm fixed-window"),
				wrong("shared synced rule", EVERYWHERE + "mode: synced", "scope", "everywhere",
						"does not go with mode synced", "Use mode strict, or scope datacenter"),
				wrong("shared rule that counts outcomes", EVERYWHERE + "count-on: failure", "scope", "everywhere",
						"does not go with count-on failure", "Remove count-on"),
				wrong("share of a rule of one data centre", "guaranteed-share: 10%", "guaranteed-share", "10%",
						"does not go with scope datacenter", "Use scope everywhere, or remove guaranteed-share"),
				wrong("share that is no percentage", EVERYWHERE + "guaranteed-share: 10", "guaranteed-share", "10",
						"is not a whole percentage from 0% to 100%", "Write for example 10%"),
				wrong("share above the limit", EVERYWHERE + "guaranteed-share: 101%", "guaranteed-share", "101%",
						"is not a whole percentage from 0% to 100%", "Write for example 10%"),
				wrong("overshoot that is no percentage", EVERYWHERE + "pool-overshoot: half", "pool-overshoot", "half",
						"is not a whole percentage from 0% to 100%", "Write for example 10%"),
				wrong("interval out of range", EVERYWHERE + "exchange-interval: 2m", "exchange-interval", "2m",
						"is out of range", "from 10ms to 1m"));
	}

	@ParameterizedTest
	@MethodSource("scopes")
	void aWrongSettingStopsTheStartWithItsReason(Wrong wrong) {
		WrongRulesTests.assertStopsTheStart(wrong);
	}

}
