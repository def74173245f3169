package dev.ratelimit.rule;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RuleKeyTests {

	private static final Set<Class<?>> GROUPS = Set.of(CoveredRequests.class, ClientKey.class, Allowances.class,
			Counting.class, Enforcement.class);

	/** Keys that are named otherwise than their part of a rule. */
	private static final Map<String, String> KEYS = Map.of("sources", "key", "on-missing", "on-missing-key", "time",
			"lease-time", "size", "lease-size", "refusal", "refusal.status");

	private static final RuleCatalogue CATALOGUE = RuleCatalogue.STARTER;

	private static RuleOption key(String name) {
		return CATALOGUE.options().stream().filter((key) -> key.text().equals(name)).findFirst().orElseThrow();
	}

	private static RuleValues put(RuleValues rule, RuleOption key, String text) {
		return rule.put(key, Arrays.stream(text.split(",")).map((part) -> CATALOGUE.parse(key, part)).toList());
	}

	private static Optional<Object> shown(RuleOption key, RuleValues rule) {
		return key.shown(rule.rule("a").thresholds("5/1m").build());
	}

	private static Stream<RecordComponent> parts(Class<?>... types) {
		return Stream.of(types)
			.flatMap((type) -> Arrays.stream(type.getRecordComponents()))
			.flatMap((part) -> GROUPS.contains(part.getType()) ? parts(part.getType()) : Stream.of(part));
	}

	@Test
	void everyPartOfARuleHasAKey() {
		assertThat(RuleKey.values()).extracting(RuleKey::text)
			.doesNotHaveDuplicates()
			.containsAll(parts(RLConfig.class, Mode.Leased.class, OnLimit.Delay.class).map(RecordComponent::getName)
				.map(DataObjectPropertyName::toDashedForm)
				.map((name) -> KEYS.getOrDefault(name, name))
				.filter((name) -> !name.equals("id"))
				.toList());
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			enabled | off | false
			methods | post,get | [GET, POST]
			paths | /a,/b | [/a, /b]
			key | header:X-A,ip | [header:X-A, ip]
			on-missing-key | shared | shared
			stage | After_Security | after-security
			algorithm | FIXED_WINDOW | fixed-window
			mode | leased | leased
			count-rejected | yes | true
			cost | 3 | 3
			count-on | 402,5xx | 402, 5xx
			when | bean:a | bean:a
			on-limit | delay | delay
			refusal.status | 503 | 503
			refusal.body | {} | {}
			on-store-failure | deny | deny
			shadow | 1 | true
			acknowledge | log-memory,fail-open-login | [log-memory, fail-open-login]
			""")
	void aValueIsShownAsItIsWritten(String name, String text, String shown) {
		RuleValues rule = put(new RuleValues(CATALOGUE), RuleKey.PATHS, "/**");
		assertThat(shown(key(name), put(rule, key(name), text)).orElseThrow()).hasToString(shown);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			algorithm | sliding-window-counter | rounding | up
			algorithm | token-bucket | refill | interval
			mode | leased | lease-time | 20ms
			mode | leased | lease-size | 3
			mode | synced | sync-interval | 2s
			mode | synced | max-overshoot | 7%
			on-limit | delay | max-wait | 3s
			on-limit | delay | max-queue | 9
			""")
	void anOptionAppliesWhereItsOwnerSaysSo(String owner, String value, String name, String text) {
		RuleOption option = key(name);
		RuleValues rule = put(new RuleValues(CATALOGUE), RuleKey.ALGORITHM, "sliding-window-log");
		assertThat(rule.takes(option)).isFalse();
		assertThat(shown(option, rule)).isEmpty();
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> rule.requireTakes(option, text))
			.withMessageContaining("does not go with " + owner)
			.withMessageContaining(owner + " " + value);
		if (value.equals("synced")) {
			put(rule, RuleKey.ALGORITHM, "fixed-window");
		}
		put(rule, key(owner), value);
		assertThat(rule.takes(option)).isTrue();
		put(rule, option, text);
		assertThat(shown(option, rule).orElseThrow().toString().replaceAll("[\\[\\]]", "")).isEqualTo(text);
	}

}
