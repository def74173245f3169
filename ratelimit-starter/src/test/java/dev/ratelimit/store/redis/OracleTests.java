package dev.ratelimit.store.redis;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.Sequence;
import dev.ratelimit.store.Sequence.Step;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.memory.MemoryStore;
import dev.ratelimit.support.PropertyRuns;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.AfterProperty;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random histories: at the same times the Lua returns the same whole results as its twin
 * on the heap, and leaves no more behind.
 */
class OracleTests {

	private static final AtomicInteger SUBJECTS = new AtomicInteger();

	private static final AtomicInteger STEPS = new AtomicInteger();

	@Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
	void theScriptAgreesWithItsTwin(@ForAll("forward") Sequence sequence) {
		assertAgreement(sequence, InjectedTime.script(StoredFormat.of(sequence.limit())));
	}

	@Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
	void theScriptAgreesWithItsTwinWhereTheClockStepsBack(@ForAll("withStepsBack") Sequence sequence) {
		assertAgreement(sequence, InjectedTime.script(StoredFormat.of(sequence.limit())));
	}

	@Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
	void aLogThatIsTrimmedInPartsAgreesWithItsTwin(@ForAll("forward") Sequence sequence) {
		assertAgreementTrimmedInParts(sequence);
	}

	/**
	 * The last request has the id of the last of three entries that have left the window.
	 */
	@Example
	void aLogThatIsEmptiedAfterAPartOfItExpires() {
		assertAgreementTrimmedInParts(new Sequence(Limits.of("emptied", "3/60s"), List.of(new Step(0, 1, 1, false, 0),
				new Step(0, 2, 1, false, 0), new Step(1, 3, 1, false, 0), new Step(60_000_000, 3, 1, false, 0))));
	}

	private static void assertAgreementTrimmedInParts(Sequence sequence) {
		String script = InjectedTime.script(StoredFormat.of(sequence.limit()));
		String key = agreed(sequence, script.replace("MOST_REMOVED = 10000", "MOST_REMOVED = 1"),
				InjectedTime.releaseScript(StoredFormat.of(sequence.limit())));
		assertThat(SharedRedis.inspection().pttl(key)).as("expiry").isNotEqualTo(-1);
	}

	/**
	 * Entries of the past alone fill the short window, and entries of the future count in
	 * the long one.
	 */
	static Sequence refusedBesideTheFuture() {
		return new Sequence(Limits.of("future", "1/60s", "3/180s"), List.of(new Step(0, 1, 1, false, 0),
				new Step(100_000_000, 2, 1, false, 0), new Step(-90_000_000, 3, 1, false, 0)));
	}

	@Example
	void aRefusalReportsEntriesOfTheFuture() {
		Sequence sequence = refusedBesideTheFuture();
		assertAgreement(sequence, InjectedTime.script(StoredFormat.of(sequence.limit())));
	}

	@Provide
	Arbitrary<Sequence> forward() {
		return Sequence.forward();
	}

	@Provide
	Arbitrary<Sequence> withStepsBack() {
		return Sequence.withStepsBack();
	}

	@AfterProperty
	void everyKeyExpires() {
		SharedRedis.checkAndRemoveKeys();
	}

	@AfterContainer
	static void theHistoriesWereLong() {
		assertThat(STEPS).hasValueGreaterThan(PropertyRuns.least(10_000));
	}

	static void assertAgreement(Sequence sequence, String script) {
		assertAgreement(sequence, script, InjectedTime.releaseScript(StoredFormat.of(sequence.limit())));
	}

	static void assertAgreement(Sequence sequence, String script, String release) {
		String key = agreed(sequence, script, release);
		Jedis redis = SharedRedis.inspection();
		if (sequence.limit().algorithm() == Algorithm.SLIDING_WINDOW_LOG) {
			assertThat(redis.zcard(key)).as("entries").isLessThanOrEqualTo(sequence.limit().mostKept());
		}
		else {
			assertThat(redis.strlen(key)).as("bytes").isLessThanOrEqualTo(32L * sequence.limit().size());
		}
		assertThat(redis.pttl(key)).as("expiry").isNotEqualTo(-1);
	}

	/** The key of a history in which both decide alike. */
	private static String agreed(Sequence sequence, String script, String release) {
		STEPS.addAndGet(sequence.steps().size());
		Subject subject = new Subject("random-" + SUBJECTS.incrementAndGet());
		MovableClock clock = new MovableClock();
		MovableClock twinClock = new MovableClock();
		RedisStore store = InjectedTime.store(SharedRedis.runner(), clock, SharedRedis.PREFIX,
				Map.of(StoredFormat.of(sequence.limit()), script), Map.of(StoredFormat.of(sequence.limit()), release));
		assertThat(sequence.replay(store, clock, subject))
			.isEqualTo(sequence.replay(new MemoryStore(twinClock), twinClock, subject));
		return StoreRequests.key(new AcquireRequest(sequence.limit(), subject, 1, new PermitId("p")));
	}

}
