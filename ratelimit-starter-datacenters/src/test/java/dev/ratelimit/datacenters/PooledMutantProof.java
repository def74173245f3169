package dev.ratelimit.datacenters;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import dev.ratelimit.fixture.PromiseLine;
import dev.ratelimit.store.redis.SharedRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.exceptions.JedisDataException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Small changes to the Lua of limits that data centres share make the comparison with
 * their twin fail, so it finds errors. That the shipped scripts survive is the test
 * itself.
 */
@Tag("proof-datacentres")
class PooledMutantProof {

	@RegisterExtension
	static final PromiseLine LINE = new PromiseLine("Mutants of the scripts of shared limits found");

	private static final int HISTORIES = 50;

	@AfterEach
	void removeKeys() {
		SharedRedis.inspection().flushAll();
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("mutants")
	void aMutantIsFound(String what, String original, String mutation) {
		AtomicBoolean found = new AtomicBoolean();
		UnaryOperator<String> change = (text) -> {
			found.compareAndSet(false, text.contains(original));
			return text.replace(original, mutation);
		};
		PooledScripts scripts = new PooledScripts(SharedRedis.inspection(), change);
		assertThat(found).isTrue();
		assertThatThrownBy(() -> compare(scripts)).isInstanceOfAny(AssertionError.class, JedisDataException.class);
	}

	private static void compare(PooledScripts scripts) {
		for (int seed = 1; seed <= HISTORIES; seed++) {
			new PooledHistory(SharedRedis.inspection(), scripts, seed, false).run();
			new PooledHistory(SharedRedis.inspection(), scripts, seed, true).run();
		}
	}

	static Stream<Arguments> mutants() {
		return Stream.of(
				arguments("no bound without acknowledgements", "math.min(room, bound - unacknowledged)", "room"),
				arguments("no end of the pool", "math.min(room, bound - unacknowledged)", "bound - unacknowledged"),
				arguments("one of the others suffices", "math.min(least or", "math.max(least or"),
				arguments("the greatest share holds", "math.min(smallest,", "math.max(smallest,"),
				arguments("other terms do not matter", "listed[name] and differs(peer, threshold, share, bound)",
						"false"),
				arguments("other thresholds do not matter", "peer[4] ~= threshold or", ""),
				arguments("other bounds do not matter", "peer[6] ~= bound or", ""),
				arguments("other shares do not matter", "or bound > 0 and peer[5] ~= share", ""),
				arguments("shares differ without a pool", "bound > 0 and peer[5] ~= share", "peer[5] ~= share"),
				arguments("terms of peers that are not listed matter", "listed[name] and differs", "differs"),
				arguments("other windows do not matter", "open and not hasUnrequestedWindows(windows, requested, now)",
						"open"),
				arguments("other windows matter forever", "window[5] > now - LATELY_MICROS", "window[5] > 0"),
				arguments("when a message came is not stored", "window[5] = now", ""),
				arguments("new terms are not sent", "current[2] > peer[3] or differs(",
						"current[2] > peer[3] and differs("),
				arguments("new terms are not exchanged", "unacknowledged > 0 or not agreed", "unacknowledged > 0"),
				arguments("a refusal does not store new terms", "place + 1, differ or taken", "place + 1, taken"),
				arguments("closed is open", "word == 'open'", "true"),
				arguments("own is not counted", "current[2] + need", "current[2]"),
				arguments("own falls", "window[3][1] = math.max(0, window[3][1] - cost)",
						"window[3][1], window[3][2] = math.max(0, window[3][1] - cost), math.max(0, window[3][2] - cost)"),
				arguments("used falls below zero", "math.max(0, window[3][1] - cost)", "window[3][1] - cost"),
				arguments("permits of a passed window are released",
						"window and (window[1] + 1) * length * 1000 == receipt", "window"),
				arguments("a release ends the expiry", ", 'KEEPTTL'", ""),
				arguments("no expiry", ", 'PX', string.format('%.0f', ttl)", ""),
				arguments("what is not stored is acknowledged", "here[2], window[2], peer[1],",
						"here[2], window[2], own + 1,"),
				arguments("what has not begun is acknowledged", "{ number, 0, 0, 0, 0, 0, 0, 0 }",
						"{ number, 0, 0, own, born, 0, 0, 0 }"),
				arguments("what has passed is not acknowledged", "{ number, 0, 0, own, born, 0, 0, 0 }",
						"{ number, 0, 0, 0, 0, 0, 0, 0 }"),
				arguments("what others have taken falls", "math.max(peer[1], own)", "own"),
				arguments("what others have acknowledged falls", "math.max(peer[3], acknowledged)", "acknowledged"),
				arguments("born is ignored", "acknowledgedBorn == window[2]", "true"),
				arguments("born is not passed on", "peer[2] = born", ""),
				arguments("lost permits are not taken again", "acknowledged > here[2]", "false"),
				arguments("lost permits are not in use", "here[1] + acknowledged - here[2], acknowledged",
						"here[1], acknowledged"),
				arguments("terms that are not known any more stay",
						"peer[4], peer[5], peer[6] = terms[1], terms[2], terms[3]",
						"if terms[1] > 0 then peer[4], peer[5], peer[6] = terms[1], terms[2], terms[3] end"),
				arguments("old terms are sent", "if window[6] > now - LATELY_MICROS", "if true"),
				arguments("terms are never sent", "if window[6] > now - LATELY_MICROS", "if false"),
				arguments("a refusal does not store that terms are still present",
						"or window[6] < now - LATELY_MICROS / 2", ""),
				arguments("an admission does not store when it was",
						"current[6], window[6] = threshold, share, bound, now\n            local ends",
						"current[6] = threshold, share, bound\n            local ends"),
				arguments("windows go back", "elseif window[1] < clock", "elseif window[1] ~= clock"),
				arguments("the next window begins empty", "clock, window[4], emptySlot()",
						"clock, emptySlot(), emptySlot()"),
				arguments("the next window stays", "clock, window[4], emptySlot()", "clock, window[4], window[4]"),
				arguments("what is not ours is read", "isCount(length) and isWindow(window)", "true"),
				arguments("ended windows stay", "left <= 0", "false"),
				arguments("a refusal takes", "mode == 'take' and not full", "mode == 'take'"),
				arguments("a refusal is written", "place + 1, differ or taken", "place + 1, true"),
				arguments("any cost may come from the pool", "need <= room and need <= bound", "need <= room"),
				arguments("a lacking acknowledgement takes a window", "math.min(SOON_MICROS, ends)", "ends"),
				arguments("whatever is closed lacks an acknowledgement", "isInPool and open and agreed", "isInPool"),
				arguments("closed pools take a window", "if isInPool or cost",
						"if isInPool and open and agreed or cost"),
				arguments("a cost above everything is tried again", "third = -1", "third = ends"),
				arguments("only the first window decides", "full, lacking, third = true,",
						"full, lacking, third = full or place == 0,"),
				arguments("a smaller share takes a window", "isInPool or cost <= share + current[2] - current[1]",
						"isInPool"),
				arguments("it is soon too late", "* 4 > bound * 3", "> bound"),
				arguments("nothing is exchanged", "exchange = math.max(exchange, 1)", ""));
	}

}
