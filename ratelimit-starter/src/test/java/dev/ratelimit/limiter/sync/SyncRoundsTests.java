package dev.ratelimit.limiter.sync;

import java.time.Duration;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.memory.MemoryStore;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When an instance that counts by itself syncs with the store, and what happens while the
 * store is away. The clock stands still unless a test moves it.
 */
class SyncRoundsTests {

	private static final Subject SUBJECT = new Subject("s");

	private static final AcquireResult.Failed UNREACHABLE = new AcquireResult.Failed(StoreFailure.UNREACHABLE,
			Fate.NOT_TAKEN);

	private final MovableClock clock = new MovableClock();

	private final CountingStore store = new CountingStore(new MemoryStore(this.clock));

	private final SyncedInstance one = new SyncedInstance(this.store, this.clock, SyncedInstance.oneOf(3));

	@Test
	void whileTheStoreIsAwayCountingGoesOnAndIsSyncedLater() {
		Limit limit = SyncedInstance.fixed("1000/10s");
		this.one.admitted(limit, SUBJECT, 1);
		this.store.fail(UNREACHABLE);
		assertThat(this.one.admitted(limit, SUBJECT, 30)).isEqualTo(30);
		this.one.round();
		assertThat(this.one.admitted(limit, SUBJECT, 10)).isEqualTo(10);
		this.one.round();
		assertThat(this.one.lost()).isEmpty();
		this.store.recover();
		this.one.round();
		assertThat(this.store.counted(limit, SUBJECT)).isEqualTo(41);
	}

	@Test
	void withTheLocalQuotaSpentTheFailureIsReturned() {
		Limit limit = SyncedInstance.fixed("1000/10s");
		this.one.admitted(limit, SUBJECT, 1);
		this.store.fail(UNREACHABLE);
		this.one.admitted(limit, SUBJECT, 50);
		assertThat(this.one.acquire(limit, SUBJECT, 1)).isEqualTo(UNREACHABLE);
		this.one.round();
		this.clock.advance(Duration.ofSeconds(11));
		assertThat(this.one.acquire(limit, SUBJECT, 1)).as("no new window without the store").isEqualTo(UNREACHABLE);
		this.store.recover();
		assertThat(this.one.acquire(limit, SUBJECT, 1)).isInstanceOf(AcquireResult.Admitted.class);
	}

	@Test
	void permitsThatMayBeLostAreReported() {
		Limit limit = SyncedInstance.fixed("1000/10s");
		this.one.admitted(limit, SUBJECT, 11);
		this.store.fail(new AcquireResult.Failed(StoreFailure.TIMEOUT, Fate.UNKNOWN));
		this.one.round();
		assertThat(this.one.lost()).containsExactly("r 10");
	}

	@Test
	@DisplayName("performance 15: at 5 decisions a second and key an interval of 100 ms costs 0.2 calls a decision")
	void aRarelyUsedKeyIsSyncedLessOften() {
		Limit limit = SyncedInstance.fixed("100000/400d");
		this.one.admitted(limit, SUBJECT, 1);
		this.store.acquired();
		for (int i = 0; i < 100; i++) {
			this.one.admitted(limit, SUBJECT, 1);
			this.one.round();
			this.one.round();
		}
		assertThat(this.store.acquired()).isZero();
		assertThat(this.store.reported()).isBetween(10, 20);
	}

	@Test
	void muchOfTheLocalQuotaIsSyncedBeforeTheInterval() {
		Limit limit = SyncedInstance.fixed("1000/10s");
		this.one.admitted(limit, SUBJECT, 41);
		this.one.hurry();
		assertThat(this.store.reported()).isOne();
		assertThat(this.store.counted(limit, SUBJECT)).isEqualTo(41);
	}

	@Test
	@DisplayName("0.22, E11: an evicted key is synced to the store at once")
	void anEvictedKeyIsSynced() {
		Limit limit = SyncedInstance.fixed("100000/10s");
		this.one.admitted(limit, SUBJECT, 11);
		for (int i = 0; i < 30_000; i++) {
			this.one.admitted(limit, new Subject("other" + i), 2);
		}
		int acquired = this.store.acquired();
		this.one.hurry();
		int evicted = this.store.reported();
		assertThat(evicted).isBetween(9000, 10_100);
		assertThat(acquired).isBetween(30_000, 40_000);
	}

	@Test
	void atTheEndEverythingIsSynced() {
		Limit limit = SyncedInstance.fixed("1000/10s");
		this.one.admitted(limit, SUBJECT, 3);
		this.one.close();
		assertThat(this.store.counted(limit, SUBJECT)).isEqualTo(3);
	}

}
