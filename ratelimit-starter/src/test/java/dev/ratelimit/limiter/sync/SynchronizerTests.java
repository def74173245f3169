package dev.ratelimit.limiter.sync;

import java.time.Duration;
import java.util.Collections;
import java.util.List;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.limiter.stage.Slot;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.memory.MemoryStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What happens to the counts of an instance when other rules come into force.
 */
class SynchronizerTests {

	private static final Subject SUBJECT = new Subject("s");

	private final MovableClock clock = new MovableClock();

	private final MemoryStore memory = new MemoryStore(this.clock);

	private final CountingStore store = new CountingStore(this.memory);

	private final SyncedInstance instance = new SyncedInstance(this.store, this.clock, SyncedInstance.oneOf(3));

	private final Limit stays = limit("stays");

	private final Limit goes = limit("goes");

	private static Limit limit(String rule) {
		return Limit.of(RLConfig.builder(rule)
			.algorithm(Algorithm.FIXED_WINDOW)
			.mode(Mode.SYNCED)
			.thresholds("1000/10s")
			.build());
	}

	private long counted(Limit limit) {
		AcquireRequest tooMuch = new AcquireRequest(limit, SUBJECT, 1001, new PermitId("look"));
		AcquireResult result = this.memory.acquire(List.of(tooMuch), Duration.ofSeconds(1)).await().get(0);
		return 1000 - ((AcquireResult.Refused) result).usage().get(0).remaining();
	}

	@Test
	void aLimitThatStaysInForceGoesOnWithoutACallOfTheStore() {
		this.instance.admitted(this.stays, SUBJECT, 4);
		this.instance.keep(this.stays);
		assertThat(this.instance.unsynced(this.stays, SUBJECT)).isEqualTo(3);
		assertThat(this.store.acquired()).isOne();
		this.instance.admitted(this.stays, SUBJECT, 4);
		assertThat(this.store.acquired()).isZero();
	}

	@Test
	void permitsOfALimitThatIsNoLongerInForceAreSynced() {
		this.instance.admitted(this.goes, SUBJECT, 11);
		this.instance.keep(this.stays);
		assertThat(this.instance.unsynced(this.goes, SUBJECT)).as("of a limit that was removed").isZero();
		this.instance.round();
		assertThat(counted(this.goes)).isEqualTo(11);
	}

	@Test
	void theEndDoesNotWaitForEachCallThatIsNotAnswered() {
		CountingStore silent = new CountingStore(this.memory, (permits, maxWait) -> {
			this.clock.advance(maxWait);
			return Collections.nCopies(permits.size(), new AcquireResult.Failed(StoreFailure.TIMEOUT, Fate.UNKNOWN));
		});
		SyncedInstance closing = new SyncedInstance(silent, this.clock, SyncedInstance.oneOf(3));
		for (int i = 0; i < 2000; i++) {
			closing.admitted(this.stays, new Subject("s" + i), 2);
		}
		closing.close();
		assertThat(silent.reported()).as("two calls of a second").isEqualTo(1000);
		assertThat(closing.lost()).filteredOn("stays 1"::equals).hasSize(1000);
	}

	@Test
	void aReleaseUnderAnOldLimitReachesTheStore() {
		Slot admitted = this.instance.acquireSlot(this.goes, SUBJECT, 1);
		this.instance.keep(this.stays);
		this.instance.release(admitted);
		assertThat(counted(this.goes)).isZero();
	}

}
