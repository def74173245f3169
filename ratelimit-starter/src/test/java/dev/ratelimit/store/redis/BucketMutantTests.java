package dev.ratelimit.store.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Refill;
import dev.ratelimit.store.BucketSequences;
import dev.ratelimit.store.Sequence;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.sessions.JqwikSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * The comparison of buckets with their oracle is worth something: small changes to the
 * Lua make it fail.
 */
class BucketMutantTests {

	private static final long SEED = 20261120;

	private static final int HISTORIES_OF_EACH_KIND = 60;

	private static final List<Sequence> HISTORIES = histories();

	@AfterEach
	void removeKeys() {
		try (Jedis redis = SharedRedis.connect(SharedRedis.standalone())) {
			redis.flushAll();
		}
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("takeMutants")
	void aMutantThatTakesIsFound(String what, String original, String mutation) {
		String script = InjectedTime.script(Algorithm.TOKEN_BUCKET);
		assertThat(script).contains(original);
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> {
			for (Sequence sequence : HISTORIES) {
				BucketOracleTests.assertAgreement(sequence, script.replace(original, mutation));
			}
		});
	}

	static Stream<Arguments> takeMutants() {
		return Stream.of(arguments("one more than the capacity", "> capacity - COST", "> capacity - COST + 1"),
				arguments("one less than the capacity", "> capacity - COST", ">= capacity - COST"),
				arguments("a part of a permit is forgotten", "refused or debt + (rest > 0 and 1 or 0)",
						"refused or debt"),
				arguments("the wait is rounded down", "rest + refill - 1, refill)\n        end",
						"rest, refill)\n        end"),
				arguments("nothing flows", "debt - whole, rest - part", "debt, rest"),
				arguments("parts never flow", "debt - whole, rest - part", "debt - whole, rest"),
				arguments("a debt below nothing", "if debt < 0 then\n        return", "if false then\n        return"),
				arguments("no digits", "if x < EXACT then", "if true then"),
				arguments("digits of 8 bits", "rest * 128", "rest * 256"),
				arguments("a digit is missing", "for shift = 49", "for shift = 28"),
				arguments("a step back is not noticed", "local steppedBack = last > now", "local steppedBack = false"),
				arguments("receipts survive a step back", "since, last = max(since, last + 1), now", "last = now"),
				arguments("receipts forget the debt before", "third = -2 - debt - given", "third = -2 - given"),
				arguments("receipts forget what was given back", "third = -2 - debt - given", "third = -2 - debt"),
				arguments("what was given back is never forgotten", "since, given = max(since, now), 0", "since = now"),
				arguments("only the last window decides", "refused = refused or debt", "refused = debt"),
				arguments("no expiry", "'PX', TTL_MILLIS)\n    end\n    return reply\nend\n\n-- Credits",
						"'KEEPTTL')\n    end\n    return reply\nend\n\n-- Credits"),
				arguments("an interval ends too late", "now < start + windowMillis", "now <= start + windowMillis"),
				arguments("an interval never ends", "and now < start + windowMillis * 1000", ""),
				arguments("who began it is not told", "(taken == 0 and 1 or 0)", "0"),
				arguments("an interval stays in the future", "steppedBack, putOff = true, now - began",
						"steppedBack = true"));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("giveBackMutants")
	void aMutantThatGivesBackIsFound(String what, String original, String mutation) {
		String script = InjectedTime.giveBackScript(Algorithm.TOKEN_BUCKET);
		assertThat(script).contains(original);
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> {
			for (Sequence sequence : HISTORIES) {
				BucketOracleTests.assertAgreement(sequence, InjectedTime.script(Algorithm.TOKEN_BUCKET),
						script.replace(original, mutation));
			}
		});
	}

	static Stream<Arguments> giveBackMutants() {
		return Stream.of(arguments("all is credited", "lost = lost - ahead", "lost, part = 0, 0"),
				arguments("what was ahead is nothing", "lost = lost - ahead", "lost = lost"),
				arguments("others never gave back", "- 2 - given)", "- 2)"),
				arguments("givings are not counted", "state[3] = given + COST", "state[3] = given"),
				arguments("receipts never lapse", "taken < last - state[2] or taken > last", "false"),
				arguments("parts are not lost", "permit - 1) + part", "permit - 1)"),
				arguments("any interval will do", "floor(receipt / 2) == state[at + 2]", "true"),
				arguments("an interval is not put off", "state[at + 3] = max(state[at + 3]",
						"state[at + 3] = min(state[at + 3]"),
				arguments("the key forgets its expiry", "cmsgpack.pack(unpack(state)), 'KEEPTTL'",
						"cmsgpack.pack(unpack(state))"));
	}

	private static List<Sequence> histories() {
		List<Sequence> histories = new ArrayList<>();
		JqwikSession.run(() -> {
			for (Refill refill : Refill.values()) {
				histories.addAll(sample(BucketSequences.forward(Algorithm.TOKEN_BUCKET, refill)));
				histories.addAll(sample(BucketSequences.withStepsBack(Algorithm.TOKEN_BUCKET, refill)));
			}
			histories.addAll(sample(BucketSequences.large(Algorithm.TOKEN_BUCKET)));
		});
		return histories;
	}

	private static List<Sequence> sample(Arbitrary<Sequence> sequences) {
		RandomGenerator<Sequence> generator = sequences.generator(1000);
		Random random = new Random(SEED);
		return Stream.generate(() -> generator.next(random).value()).limit(HISTORIES_OF_EACH_KIND).toList();
	}

}
