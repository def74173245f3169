package dev.ratelimit.rule;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The catalogue describes every key once.
 */
class RuleKeysTests {

	private static RuleKey<?> key(String name) {
		return RuleKeys.ALL.stream().filter((key) -> key.name().equals(name)).findFirst().orElseThrow();
	}

	private static <E> Object shownAfterSetting(RuleKey<E> key, String text, RLConfigBuilder rule) {
		key.set(rule, Arrays.stream(text.split(",")).map(key::parse).toList());
		return key.shown(rule.thresholds("5/1m").build()).orElseThrow();
	}

	@Test
	void everyPartOfARuleHasAKey() {
		assertThat(RuleKeys.ALL).extracting(RuleKey::name)
			.doesNotHaveDuplicates()
			.containsAll(Stream.of(RLConfig.class, Mode.Leased.class, OnLimit.Delay.class)
				.flatMap((type) -> Arrays.stream(type.getRecordComponents()))
				.map(RecordComponent::getName)
				.map(DataObjectPropertyName::toDashedForm)
				.map((name) -> List.of("time", "size").contains(name) ? "lease-" + name : name)
				.map((name) -> name.equals("refusal") ? "refusal.status" : name)
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
		RLConfigBuilder rule = RLConfig.builder("a");
		if (name.equals("methods")) {
			rule.paths("/**");
		}
		assertThat(shownAfterSetting(key(name), text, rule)).hasToString(shown);
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
			on-limit | enqueue | max-queue | 9
			on-limit | enqueue | enqueue.headers | x-a
			on-limit | enqueue | enqueue.max-body | 2KB
			on-limit | enqueue | enqueue.max-total | 700
			on-limit | enqueue | enqueue.max-bytes | 2MB
			on-limit | enqueue | enqueue.max-age | 2h
			""")
	void anOptionAppliesWhereItsOwnerSaysSo(String owner, String value, String name, String text) {
		RuleKey<?> option = key(name);
		RLConfigBuilder rule = RLConfig.builder("a").thresholds("5/1m");
		assertThat(option.appliesTo(rule)).isFalse();
		assertThat(option.shown(rule.build())).isEqualTo(Optional.empty());
		assertThat(option.misplaced(rule, text)).hasMessageContaining("does not go with " + owner)
			.hasMessageContaining(owner + " " + value.replace("enqueue", "").strip());
		if (value.equals("synced")) {
			rule.algorithm(Algorithm.FIXED_WINDOW);
		}
		shownAfterSetting(key(owner), value, rule);
		assertThat(option.appliesTo(rule)).isTrue();
		assertThat(shownAfterSetting(option, text, rule).toString().replaceAll("[\\[\\]]", "")).isEqualTo(text);
	}

}
