package dev.ratelimit.limiter;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.KeySource;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.Subject;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SubjectEncoderTests {

	private final SubjectEncoder subjects = new SubjectEncoder(64, "");

	@Test
	void anAddressIsReadableAndCutToItsPrefix() {
		assertThat(subject("ip", "1.2.3.4")).isEqualTo(new Subject("i1.2.3.4"));
		assertThat(subject("ip", "2001:DB8::1")).isEqualTo(new Subject("i2001:db8:0:0::"))
			.isEqualTo(subject("ip", "2001:db8:0:0:ffff::2"));
	}

	@Test
	void globalIsOneSubject() {
		assertThat(subject("global", "")).isEqualTo(new Subject("g"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "header:X-A", "cookie:a", "query:a", "path:a", "principal", "session", "claim:a", "bean:a",
			"arg:a" })
	void textOfAClientIsNeverAnAddress(String source) {
		assertThat(subject(source, "1.2.3.4")).isNotEqualTo(subject("ip", "1.2.3.4"));
		assertThat(subject(source, "1.2.3.4").text()).startsWith("h").doesNotContain("1.2.3.4");
	}

	@Test
	void theSameTextFromAnotherKindOfSourceIsAnotherSubject() {
		assertThat(subject("header:X-A", "a")).isNotEqualTo(subject("cookie:X-A", "a"));
		assertThat(subject("header:X-A", "anonymous")).isNotEqualTo(keyless());
	}

	@Test
	void aTupleIsNotTheJoinOfItsParts() {
		List<KeySource> pair = sources("header:X-A", "header:X-B");
		assertThat(this.subjects.encode(pair, List.of("a", "bc")))
			.isNotEqualTo(this.subjects.encode(pair, List.of("ab", "c")));
		assertThat(this.subjects.encode(pair, List.of("a", "b")))
			.isNotEqualTo(this.subjects.encode(pair, List.of("b", "a")));
		assertThat(this.subjects.encode(pair, List.of("a", "")))
			.isNotEqualTo(this.subjects.encode(pair, List.of("", "a")));
		assertThat(this.subjects.encode(pair, List.of("aheader:b", "c")))
			.isNotEqualTo(this.subjects.encode(pair, List.of("a", "bheader:c")));
	}

	@Test
	void anAddressInATupleIsCanonicalToo() {
		List<KeySource> pair = sources("ip", "header:X-A");
		assertThat(this.subjects.encode(pair, List.of("::ffff:1.2.3.4", "a")))
			.isEqualTo(this.subjects.encode(pair, List.of("1.2.3.4", "a")))
			.isNotEqualTo(this.subjects.encode(pair, List.of("1.2.3.5", "a")));
	}

	@Test
	void differentKeysAreDifferentSubjectsAndEqualKeysAreEqual() {
		SplittableRandom random = new SplittableRandom(7);
		Map<Subject, List<String>> keys = new HashMap<>();
		for (int i = 0; i < 50_000; i++) {
			List<KeySource> sources = new ArrayList<>();
			List<String> values = new ArrayList<>();
			List<String> key = new ArrayList<>();
			for (int part = random.nextInt(3); part >= 0; part--) {
				KeySource source = KeySource.valueOf(SOURCES.get(random.nextInt(SOURCES.size())));
				sources.add(source);
				values.add(hostileText(random));
				key.add(source.kind() + values.get(values.size() - 1));
			}
			Subject subject = this.subjects.encode(sources, values);
			assertThat(keys.computeIfAbsent(subject, (absent) -> key)).isEqualTo(key);
			assertThat(this.subjects.encode(sources, values)).isEqualTo(subject);
		}
		assertThat(keys).hasSizeGreaterThan(10_000);
	}

	@Test
	@DisplayName("E6 No text of a client reaches the braces or the length of a key")
	void noTextOfAClientIsTooLongOrTooStrange() {
		for (String text : List.of("", "{", "}", "{}x}", "a:b", "\u0000", "x".repeat(10_000), "\ud83d\ude00", "\ud800",
				"\u202e", "${jndi:ldap://x}")) {
			assertThat(subject("header:X-A", text).text()).hasSizeLessThanOrEqualTo(Subject.MAX_LENGTH);
		}
	}

	@Test
	void unpairedSurrogatesAreNotConfused() {
		assertThat(subject("bean:a", "\ud800")).isNotEqualTo(subject("bean:a", "\ud801"))
			.isNotEqualTo(subject("bean:a", "?"));
	}

	@Test
	void anAddressThatIsNoneIsHashed() {
		assertThat(subject("ip", "/var/run/app.sock").text()).startsWith("h");
	}

	@Test
	void aSecretChangesEveryHash() {
		List<KeySource> header = sources("header:X-A");
		Subject plain = this.subjects.encode(header, List.of("a"));
		Subject keyed = new SubjectEncoder(64, "s3cret").encode(header, List.of("a"));
		assertThat(keyed).isNotEqualTo(plain)
			.isNotEqualTo(new SubjectEncoder(64, "other").encode(header, List.of("a")))
			.isEqualTo(new SubjectEncoder(64, "s3cret").encode(header, List.of("a")));
	}

	@Test
	void aRequestCarriesItsKeyOrASubstitute() {
		CompiledRule rule = CompiledRule.of(RLConfig.builder("r").key("header:X-A").thresholds("1/s").build(), 64,
				false);
		assertThat(this.subjects.byKey(rule, List.of("a"), Optional.empty(), 3))
			.isEqualTo(new RuleRequest(rule, rule.standard(), subject("header:X-A", "a"), 3));
		assertThat(this.subjects.byAddress(rule, "1.2.3.4", Optional.empty(), 3))
			.isEqualTo(new RuleRequest(rule, rule.standard(), new Subject("i1.2.3.4"), 3));
		assertThat(this.subjects.keyless(rule, Optional.empty(), 3))
			.isEqualTo(new RuleRequest(rule, rule.standard(), keyless(), 3));
	}

	@ParameterizedTest
	@ValueSource(ints = { -1, 0, 129 })
	void refusesAPrefixThatIsNone(int prefix) {
		assertThatExceptionOfType(InvalidRuleException.class).isThrownBy(() -> new SubjectEncoder(prefix, ""))
			.withMessageContaining("ipv6-prefix '" + prefix + "'");
	}

	private static final List<String> SOURCES = List.of("header:X-A", "cookie:a", "query:a", "path:a", "principal",
			"session", "claim:a", "bean:a", "arg:a");

	private static String hostileText(SplittableRandom random) {
		String alphabet = "ab:{}\u0000\u0001 ,?é\ud83d\ude00\ud800header";
		StringBuilder text = new StringBuilder();
		for (int i = random.nextInt(5); i > 0; i--) {
			text.append(alphabet.charAt(random.nextInt(alphabet.length())));
		}
		return text.toString();
	}

	private static List<KeySource> sources(String... sources) {
		return List.of(sources).stream().map(KeySource::valueOf).toList();
	}

	private Subject subject(String source, String value) {
		return this.subjects.encode(sources(source), List.of(value));
	}

	private Subject keyless() {
		return this.subjects
			.keyless(CompiledRule.of(RLConfig.builder("r").thresholds("1/s").build(), 64, false), Optional.empty(), 1)
			.subject();
	}

}
