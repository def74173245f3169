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

	private static RuleKey key(String name) {
		return Stream.of(RuleKey.values()).filter((key) -> key.text().equals(name)).findFirst().orElseThrow();
	}

	private static RuleValues put(RuleValues rule, RuleKey key, String text) {
		return rule.put(key, Arrays.stream(text.split(",")).map(key::parse).toList());
	}

	private static Optional<Object> shown(RuleKey key, RuleValues rule) {
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
		RuleValues rule = put(new RuleValues(), RuleKey.PATHS, "/**");
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
			on-limit | enqueue | max-queue | 9
			on-limit | enqueue | enqueue.headers | x-a
			on-limit | enqueue | enqueue.max-body | 2KB
			on-limit | enqueue | enqueue.max-total | 700
			on-limit | enqueue | enqueue.max-bytes | 2MB
			on-limit | enqueue | enqueue.max-age | 2h
			""")
	void anOptionAppliesWhereItsOwnerSaysSo(String owner, String value, String name, String text) {
		RuleKey option = key(name);
		RuleValues rule = put(new RuleValues(), RuleKey.ALGORITHM, "sliding-window-log");
		assertThat(option.appliesTo(rule)).isFalse();
		assertThat(shown(option, rule)).isEmpty();
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> option.requireApplicable(rule, text))
			.withMessageContaining("does not go with " + owner)
			.withMessageContaining(owner + " " + value.replace("enqueue", "").strip());
		if (value.equals("synced")) {
			put(rule, RuleKey.ALGORITHM, "fixed-window");
		}
		put(rule, key(owner), value);
		assertThat(option.appliesTo(rule)).isTrue();
		put(rule, option, text);
		assertThat(shown(option, rule).orElseThrow().toString().replaceAll("[\\[\\]]", "")).isEqualTo(text);
	}

}
