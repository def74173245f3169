package dev.ratelimit.limiter;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import dev.ratelimit.fixture.HandledLater;
import dev.ratelimit.limiter.CompiledAllowance.CompiledBlocked;
import dev.ratelimit.limiter.CompiledAllowance.CompiledLimited;
import dev.ratelimit.limiter.CompiledAllowance.CompiledUnlimited;
import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.KeyOverride;
import dev.ratelimit.rule.Plans;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Subject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * What a rule allows to which client. A limit is recognized by its threshold.
 */
class CompiledRuleTests {

	private static final Optional<String> NO_PLAN = Optional.empty();

	private static Allowance limited(String... thresholds) {
		return new Allowance.Limited(List.of(thresholds).stream().map(RLThreshold::valueOf).toList());
	}

	private static KeyOverride override(long threshold, String... key) {
		return new KeyOverride(List.of(key), limited(threshold + "/1m"));
	}

	private static CompiledRule rule(List<String> key, KeyOverride... overrides) {
		return CompiledRule.of(RLConfig.builder("r")
			.key(key.toArray(String[]::new))
			.thresholds("1/1m")
			.plans(Plans.by("header:X-Plan",
					Map.of("free", limited("200/1m"), "paid", limited("10000/1m"), "staff", Allowance.UNLIMITED,
							"banned", Allowance.BLOCKED)))
			.overrides(List.of(overrides))
			.build(), 64, false);
	}

	private static CompiledRule rule(String key, KeyOverride... overrides) {
		return rule(List.of(key), overrides);
	}

	/** Its clients use no plan, so that a log keeps for them what the override needs. */
	@Test
	void anOverrideIsCountedWithoutThePlans() {
		CompiledRule rule = CompiledRule.of(RLConfig.builder("r")
			.key("principal")
			.thresholds("1/10s")
			.plans(Plans.by("header:X-Plan", Map.of("paid", limited("2/1m"))))
			.overrides(List.of(override(5, "acme")))
			.build(), 64, false);
		assertThat(limit(rule.allowance(List.of("acme"), NO_PLAN)).longerWindow()).isEmpty();
		assertThat(limit(rule.allowance(List.of("other"), NO_PLAN)).longerWindow()).isPresent();
		assertThat(limit(rule.allowance(List.of("other"), Optional.of("paid"))).longerWindow()).isPresent();
	}

	private static CompiledRule enqueueing(List<String> key, String... override) {
		return CompiledRule.of(RLConfig.builder("orders")
			.key(key.toArray(String[]::new))
			.thresholds("5/10s")
			.overrides(List.of(override(1, override)))
			.onLimit(new HandledLater())
			.build(), 64, false);
	}

	@ParameterizedTest
	@CsvSource({ "10.0.0.1, 10.0.0.1", "10.0.0.1/32, 10.0.0.1", "2001:db8::/64, 2001:db8::7" })
	void anEnqueuedRequestIsFoundByTheOverrideOfItsClient(String override, String address) {
		CompiledRule rule = enqueueing(List.of("principal", "ip"), "acme", override);
		SubjectEncoder encoder = new SubjectEncoder(64, "");
		Subject subject = encoder.byKey(rule, List.of("acme", address), NO_PLAN, 1).subject();
		assertThat(threshold(encoder.bySubject(rule, subject, NO_PLAN).allowance())).isEqualTo(1);
	}

	@Test
	void anEnqueuedRequestOfARangeOfClientsIsNotFoundSoTheRangeIsRefused() {
		assertThat(enqueueing(List.of("ip"), "10.0.0.0/8")).isNotNull();
		assertThat(enqueueing(List.of("principal", "path:order"), "a/b", "c")).isNotNull();
		assertThatExceptionOfType(InvalidRuleException.class)
			.isThrownBy(() -> enqueueing(List.of("principal", "ip"), "acme", "10.0.0.0/31"))
			.withMessageContaining("on-limit enqueue")
			.withMessageContaining("Name single clients (/32)");
	}

	@Test
	void overridesAreEncodedOnceHoweverManyRequestsWereEnqueued() {
		CompiledRule rule = enqueueing(List.of("principal"), "acme");
		List<List<String>> encoded = new ArrayList<>();
		Function<List<String>, Subject> encoding = (key) -> {
			encoded.add(key);
			return new Subject("h" + key.get(0));
		};
		assertThat(threshold(rule.allowance(new Subject("hacme"), encoding, NO_PLAN))).isEqualTo(1);
		assertThat(threshold(rule.allowance(new Subject("hother"), encoding, NO_PLAN))).isEqualTo(5);
		assertThat(encoded).containsExactly(List.of("acme"));
	}

	private static Limit limit(CompiledAllowance allowance) {
		return ((CompiledLimited) allowance).limit();
	}

	private static long threshold(CompiledAllowance allowance) {
		return ((CompiledLimited) allowance).thresholds().get(0).threshold();
	}

	private static long threshold(CompiledRule rule, String... key) {
		return threshold(rule.allowance(List.of(key), NO_PLAN));
	}

	@ParameterizedTest
	@CsvSource({ "free, 200", "FREE, 200", "Free, 200", "paid, 10000", "gold, 1", "'free ', 1", "'', 1",
			"\u017ftaff, 1" })
	void aPlanIsFoundInAnyCaseOfItsLettersAndElseTheThresholdsHold(String plan, long threshold) {
		assertThat(threshold(rule("ip").allowance(List.of("1.2.3.4"), Optional.of(plan)))).isEqualTo(threshold);
	}

	@Test
	void aClientWithoutAPlanGetsTheThresholds() {
		assertThat(threshold(rule("ip"), "1.2.3.4")).isEqualTo(1);
		assertThat(threshold(rule("ip").allowance(NO_PLAN))).isEqualTo(1);
	}

	@Test
	void aPlanMayBeUnlimitedOrBlocked() {
		assertThat(rule("ip").allowance(Optional.of("staff"))).isInstanceOf(CompiledUnlimited.class);
		assertThat(rule("ip").allowance(Optional.of("banned"))).isInstanceOf(CompiledBlocked.class);
	}

	@Test
	void anOverrideBeatsThePlan() {
		CompiledRule rule = rule("header:X-Api-Key", override(50, "special"),
				new KeyOverride(List.of("friend"), Allowance.UNLIMITED));
		assertThat(threshold(rule.allowance(List.of("special"), Optional.of("paid")))).isEqualTo(50);
		assertThat(rule.allowance(List.of("friend"), Optional.of("banned"))).isInstanceOf(CompiledUnlimited.class);
		assertThat(threshold(rule.allowance(List.of("Special"), Optional.of("paid")))).as("keys have a case")
			.isEqualTo(10000);
	}

	@Test
	void anOverrideOfATupleNeedsAllItsParts() {
		CompiledRule rule = rule(List.of("header:X-Tenant", "principal"), override(50, "a", "b"));
		assertThat(threshold(rule, "a", "b")).isEqualTo(50);
		assertThat(threshold(rule, "a", "c")).isEqualTo(1);
		assertThat(threshold(rule, "b", "a")).isEqualTo(1);
		assertThat(threshold(rule, "ab", "")).isEqualTo(1);
	}

	@ParameterizedTest
	@CsvSource({ "10.1.2.3, 4", "10.1.2.4, 3", "10.1.3.1, 2", "10.2.0.0, 1000", "11.0.0.0, 1", "::ffff:10.1.2.3, 4",
			"64:ff9b::a01:203, 4", "2001:db8:1:2::9, 6", "2001:db8:1:2:ffff::, 6", "2001:db8:1:3::, 5", "2001:db9::, 1",
			"192.168.7.7, 7", "unknown, 1" })
	void ofSeveralRangesTheNarrowestCounts(String address, long threshold) {
		CompiledRule rule = rule("ip", override(1000, "10.0.0.0/8"), override(4, "10.1.2.3"),
				override(2, "10.1.0.0/16"), override(3, "10.1.2.0/24"), override(5, "2001:db8::/32"),
				override(6, "2001:db8:1:2::/64"), override(7, "::ffff:192.168.7.7"));
		assertThat(threshold(rule, address)).isEqualTo(threshold);
	}

	@Test
	void anAddressMayBeAPartOfATuple() {
		CompiledRule rule = rule(List.of("header:X-Tenant", "ip"), override(2, "a", "10.0.0.0/8"),
				override(3, "b", "10.1.0.0/16"));
		assertThat(threshold(rule, "a", "10.1.0.1")).isEqualTo(2);
		assertThat(threshold(rule, "b", "10.1.0.1")).isEqualTo(3);
		assertThat(threshold(rule, "b", "10.2.0.1")).isEqualTo(1);
	}

	@Test
	void aRangeOfAllAddressesIsNarrowerThanNone() {
		CompiledRule rule = rule("ip", override(2, "0.0.0.0/0"), override(3, "::/0"));
		assertThat(threshold(rule, "9.9.9.9")).isEqualTo(2);
		assertThat(threshold(rule, "2001:db8::1")).isEqualTo(3);
	}

	@ParameterizedTest
	@ValueSource(strings = { "10.0.0.0/33", "customer.example", "10.0.0", "10.0.0.0/8/8", "*" })
	void aKeyThatIsNoAddressIsRefused(String text) {
		InvalidRuleException refusal = refusal(override(5, "10.0.0.1"), override(5, text));
		assertThat(refusal.property()).isEqualTo("rules.r.overrides[1].key");
		assertThat(refusal.value()).isEqualTo(text);
		assertThat(refusal.cure()).contains("10.0.0.0/8");
	}

	@ParameterizedTest
	@CsvSource({ "2001:db8::1, 2001:db8:0:0::/64, 128", "2001:db8::/65, 2001:db8:0:0::/64, 65" })
	void aRangeThatIsOnlyAPartOfOneClientIsRefused(String text, String cure, int prefix) {
		InvalidRuleException refusal = refusal(override(5, text));
		assertThat(refusal.property()).isEqualTo("rules.r.overrides[0].key");
		assertThat(refusal.reason())
			.isEqualTo("is only a part of what ratelimit.ipv6-prefix counts as one client, a /64");
		assertThat(refusal.cure())
			.isEqualTo("Write " + cure + " or a wider range, or raise ratelimit.ipv6-prefix to " + prefix);
	}

	@ParameterizedTest
	@CsvSource({ "10.0.0.1, 10.0.0.1/32", "10.0.0.0/8, 10.9.9.9/8", "2001:db8::/32, 2001:0db8:0::/32",
			"10.0.0.1, ::ffff:10.0.0.1" })
	void twoSpellingsOfARangeAreRefused(String one, String other) {
		InvalidRuleException refusal = refusal(override(5, one), override(6, other));
		assertThat(refusal.property()).isEqualTo("rules.r.overrides[1].key");
		assertThat(refusal.reason()).isEqualTo("has an override already, in another spelling");
	}

	@Test
	void aCredentialBesideARangeIsNotShown() {
		InvalidRuleException twice = catchThrowableOfType(InvalidRuleException.class,
				() -> rule(List.of("ip", "header:X-Api-Key"), override(5, "10.0.0.1", "s3cr3t"),
						override(6, "10.0.0.1/32", "s3cr3t")));
		assertThat(twice.value()).isEqualTo("******");
		InvalidRuleException blank = catchThrowableOfType(InvalidRuleException.class, () -> override(5, "s3cr3t", ""));
		assertThat(blank.value()).isEqualTo("******");
	}

	private static InvalidRuleException refusal(KeyOverride... overrides) {
		InvalidRuleException refusal = catchThrowableOfType(InvalidRuleException.class, () -> rule("ip", overrides));
		assertThat(refusal).isNotNull();
		return refusal;
	}

	@Test
	void limitsAreThoseOfTheRuleItsPlansAndItsOverrides() {
		assertThat(rule("ip", override(5, "10.0.0.1")).limits()).extracting(CompiledRuleTests::threshold)
			.containsExactlyInAnyOrder(1L, 200L, 10000L, 5L);
	}

}
