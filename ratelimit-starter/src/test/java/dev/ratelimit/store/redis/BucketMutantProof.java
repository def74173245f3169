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
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
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

	@ParameterizedTest
	@EnumSource(names = { "TOKEN_BUCKET", "INTERVAL_BUCKET" })
	void theShippedScriptsSurvive(StoredFormat format) {
		assertThatCode(() -> compare(format, InjectedTime.script(format), InjectedTime.releaseScript(format)))
			.doesNotThrowAnyException();
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource({ "takeMutants", "takeMutantsOfOneWindow" })
	void aMutantOfTheTakeScriptIsFound(String what, String original, String mutation) {
		StoredFormat format = format(InjectedTime.script(StoredFormat.TOKEN_BUCKET).contains(original));
		String script = InjectedTime.script(format);
		assertThat(script).contains(original);
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> compare(format, script.replace(original, mutation), InjectedTime.releaseScript(format)));
	}

	private static StoredFormat format(boolean flows) {
		return flows ? StoredFormat.TOKEN_BUCKET : StoredFormat.INTERVAL_BUCKET;
	}

	private static void compare(StoredFormat format, String script, String release) {
		for (Sequence sequence : HISTORIES) {
			if (StoredFormat.of(sequence.limit()) == format) {
				BucketOracleTests.assertAgreement(sequence, script, release);
			}
		}
		for (Sequence sequence : CHANGES) {
			if (StoredFormat.of(sequence.limit()) == format) {
				PlansOracleTests.assertAgreement(sequence, script);
			}
		}
	}

	static Stream<Arguments> takeMutants() {
		return Stream.of(arguments("one more than the capacity", "debt > room or", "debt > room + 1 or"),
				arguments("one less than the capacity", "debt > room or", "debt >= room or"),
				arguments("a part of a permit is ignored", " or debt == room and state[at + 1] > 0", ""),
				arguments("the wait is rounded down", "(capacity - cost), permit, rest + refill - 1",
						"(capacity - cost), permit, rest"),
				arguments("nothing flows", "debt - whole, rest - part", "debt, rest"),
				arguments("parts never flow", "debt - whole, rest - part", "debt - whole, rest"),
				arguments("an inexact flow", "if flow >= 2 ^ 53 then", "if false then"),
				arguments("a debt below nothing", "if debt < 0 then", "if debt < -1 then"),
				arguments("no digits", "if x < 2 ^ 53 then", "if true then"),
				arguments("digits of 8 bits", "rest * 128", "rest * 256"),
				arguments("a digit is missing", "for shift = 49", "for shift = 28"),
				arguments("a step back is not noticed", "if last > now then", "if false then"),
				arguments("receipts survive a step back", "true, math.max(since, last + 1), now", "true, since, now"),
				arguments("receipts ignore the debt before", "-2 - debt - given", "-2 - given"),
				arguments("receipts ignore released permits", "-2 - debt - given", "-2 - debt"),
				arguments("receipts are valid for ever", "since, given = math.max(since, now), 0", "given = 0"),
				arguments("released permits are never reset", "since, given = math.max(since, now), 0",
						"since = math.max(since, now)"),
				arguments("only the last window decides", "            admits = false\n        end\n",
						"            admits = false\n        else\n            admits = mode == 'take'\n        end\n"),
				arguments("no expiry", "redis.call('SET', key, text, 'PX', ttl)", "redis.call('SET', key, text)"),
				arguments("an interval ends too late", "now < from + windowMillis", "now <= from + windowMillis"),
				arguments("an interval never ends", "and now < from + windowMillis * 1000", ""),
				arguments("the first admission of an interval is not reported", "third = third - 1", "third = third"),
				arguments("an interval stays in the future", "beginning, math.min(from, now)", "beginning, from"));
	}

	/** Of what the reply and the value of one window show. */
	static Stream<Arguments> takeMutantsOfOneWindow() {
		return Stream.of(arguments("the capacity is too much", "cost > capacity then", "cost >= capacity then"),
				arguments("a part of a permit is left", "(rest > 0 and 1 or 0)", "0"),
				arguments("a step back is not written", "return steppedBack", "return false"),
				arguments("any window will do", "length ~= limit[i] then", "not length then"),
				arguments("a debt above the capacity", "if debt >= most then", "if false then"),
				arguments("a window that was not there has receipts", "if not length and since < now then",
						"if false then"),
				arguments("what was left before remains", "debt, left = debt + cost, left - cost",
						"debt = debt + cost"),
				arguments("an inexact time until it is full", "units < 2 ^ 53 and", "true and"),
				arguments("receipts have no time", "reply[n] = now", "reply[n] = state[5]"));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("releaseMutants")
	void aMutantOfTheReleaseScriptIsFound(String what, String original, String mutation) {
		StoredFormat format = format(InjectedTime.releaseScript(StoredFormat.TOKEN_BUCKET).contains(original));
		String release = InjectedTime.releaseScript(format);
		assertThat(release).contains(original);
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> compare(format, InjectedTime.script(format), release.replace(original, mutation)));
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
