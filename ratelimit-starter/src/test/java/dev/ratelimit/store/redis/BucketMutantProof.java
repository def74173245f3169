package dev.ratelimit.store.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.fixture.PromiseLine;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Refill;
import dev.ratelimit.store.BucketSequences;
import dev.ratelimit.store.Histories;
import dev.ratelimit.store.PlanSequences;
import dev.ratelimit.store.Sequence;
import net.jqwik.api.Arbitrary;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Small changes to the Lua make the comparison of buckets with their oracle fail, so it
 * finds errors.
 */
@Tag("proof-algorithms")
class BucketMutantProof {

	@RegisterExtension
	static final PromiseLine LINE = new PromiseLine(
			"Mutants of the buckets' scripts found, and the scripts themselves kept");

	private static final int HISTORIES_OF_EACH_KIND = 250;

	private static final List<Sequence> HISTORIES = histories();

	/** A rule that changes. */
	private static final List<Sequence> CHANGES = Histories.of(HISTORIES_OF_EACH_KIND,
			List.of(PlanSequences.ofChangedRules(Algorithm.TOKEN_BUCKET)));

	@AfterEach
	void removeKeys() {
		try (Jedis redis = SharedRedis.connect(SharedRedis.standalone())) {
			redis.flushAll();
		}
	}

	@Test
	void theShippedScriptsSurvive() {
		String script = InjectedTime.script(Algorithm.TOKEN_BUCKET);
		assertThatCode(() -> {
			HISTORIES.forEach((history) -> BucketOracleTests.assertAgreement(history, script));
			CHANGES.forEach((history) -> PlansOracleTests.assertAgreement(history, script));
		}).doesNotThrowAnyException();
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource({ "takeMutants", "takeMutantsOfOneWindow" })
	void aMutantOfTheTakeScriptIsFound(String what, String original, String mutation) {
		String script = InjectedTime.script(Algorithm.TOKEN_BUCKET);
		assertThat(script).contains(original);
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> {
			for (Sequence sequence : HISTORIES) {
				BucketOracleTests.assertAgreement(sequence, script.replace(original, mutation));
			}
			for (Sequence sequence : CHANGES) {
				PlansOracleTests.assertAgreement(sequence, script.replace(original, mutation));
			}
		});
	}

	static Stream<Arguments> takeMutants() {
		return Stream.of(
				arguments("one more than the capacity", "debt > capacity - cost or", "debt > capacity + 1 - cost or"),
				arguments("one less than the capacity", "debt > capacity - cost or", "debt >= capacity - cost or"),
				arguments("a part of a permit is ignored", "or rest > 0 and debt == capacity - cost", ""),
				arguments("the wait is rounded down", "(capacity - cost), permit, rest + refill - 1",
						"(capacity - cost), permit, rest"),
				arguments("nothing flows", "debt - whole, rest - part", "debt, rest"),
				arguments("parts never flow", "debt - whole, rest - part", "debt - whole, rest"),
				arguments("an inexact flow", "if flow >= EXACT then", "if false then"),
				arguments("a debt below nothing", "if debt < 0 then", "if debt < -1 then"),
				arguments("no digits", "if x < EXACT then", "if true then"),
				arguments("digits of 8 bits", "rest * 128", "rest * 256"),
				arguments("a digit is missing", "for shift = 49", "for shift = 28"),
				arguments("a step back is not noticed", "if last > now then", "if false then"),
				arguments("receipts survive a step back", "true, math.max(since, last + 1), now", "true, since, now"),
				arguments("receipts ignore the debt before", "-2 - debt - given", "-2 - given"),
				arguments("receipts ignore released permits", "-2 - debt - given", "-2 - debt"),
				arguments("receipts are valid for ever", "since, given = math.max(since, now), 0", "given = 0"),
				arguments("released permits are never reset", "since, given = math.max(since, now), 0",
						"since = math.max(since, now)"),
				arguments("only the last window decides", "            refused = true\n        end\n        reply",
						"            refused = true\n        else\n            refused = false\n        end\n        reply"),
				arguments("no expiry", "redis.call('SET', KEYS[1], written, 'PX', ttl)",
						"redis.call('SET', KEYS[1], written)"),
				arguments("an interval ends too late", "now < from + windowMillis", "now <= from + windowMillis"),
				arguments("an interval never ends", "and now < from + windowMillis * 1000", ""),
				arguments("the first admission of an interval is not reported", "third = third - 1", "third = third"),
				arguments("an interval stays in the future", "beginning, math.min(from, now)", "beginning, from"));
	}

	/** Of the short form of the script, for one window. */
	static Stream<Arguments> takeMutantsOfOneWindow() {
		return Stream.of(arguments("one less than the capacity", "if cost <= left then", "if cost < left then"),
				arguments("a part of a permit is ignored", "(rest > 0 and 1 or 0)", "0"),
				arguments("a step back is not noticed", " or last > now then", " then"),
				arguments("any window will do", "windowMillis ~= ARGV[8] + 0 or ", ""),
				arguments("a debt above the capacity", "if debt >= capacity then", "if false then"),
				arguments("no expiry", "redis.call('SET', KEYS[1], text, 'PX', ttl)",
						"redis.call('SET', KEYS[1], text)"),
				arguments("no first expiry", "if lives < millis + ttl or", "if"),
				arguments("an inexact time until it is full", "units < EXACT and", "true and"),
				arguments("receipts have no time", "admitted and now or nil", "admitted and last or nil"));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("releaseMutants")
	void aMutantOfTheReleaseScriptIsFound(String what, String original, String mutation) {
		String script = InjectedTime.releaseScript(Algorithm.TOKEN_BUCKET);
		assertThat(script).contains(original);
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> {
			for (Sequence sequence : HISTORIES) {
				BucketOracleTests.assertAgreement(sequence, InjectedTime.script(Algorithm.TOKEN_BUCKET),
						script.replace(original, mutation));
			}
		});
	}

	static Stream<Arguments> releaseMutants() {
		return Stream.of(arguments("all is credited", "if lost < 0 then", "if true then"),
				arguments("the debt before is ignored", "lost = lost - math.max", "lost = lost - 0 * math.max"),
				arguments("releases of others are ignored", "- 2 - given)", "- 2)"),
				arguments("releases are not counted", "given = given + cost", "given = given"),
				arguments("receipts never lapse", "taken < since or taken > last", "false"),
				arguments("parts are not lost", "permit - 1) + part", "permit - 1)"),
				arguments("any interval will do", "math.floor(receipt / 2) == began", "true"),
				arguments("an interval is not put off", "start = math.max(start, last)", "start = start"),
				arguments("an interval is put off once only", " or start > began", ""),
				arguments("what is left is dropped", "if counts then", "if false then"),
				arguments("parts of a permit are dropped", "debt + rest > 0\n    end", "debt > 0\n    end"),
				arguments("the key loses its expiry", ", 'KEEPTTL'", ""));
	}

	private static List<Sequence> histories() {
		List<Arbitrary<Sequence>> kinds = new ArrayList<>();
		for (Refill refill : Refill.values()) {
			kinds.add(BucketSequences.forward(Algorithm.TOKEN_BUCKET, refill));
			kinds.add(BucketSequences.withStepsBack(Algorithm.TOKEN_BUCKET, refill));
		}
		kinds.add(BucketSequences.large(Algorithm.TOKEN_BUCKET));
		return Histories.of(HISTORIES_OF_EACH_KIND, kinds);
	}

}
