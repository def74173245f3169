package dev.ratelimit.limiter.sync;

import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.memory.MemoryStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests of a synced rule that are decided without slots are decided like those with
 * slots.
 */
class SyncedDecidedHereTests {

	private static final Subject SUBJECT = new Subject("s");

	private static final int REQUESTS = 3000;

	private final MovableClock clock = new MovableClock();

	private final CountingStore store = new CountingStore(new MemoryStore(this.clock));

	private final CountingStore otherStore = new CountingStore(new MemoryStore(this.clock));

	private final SyncedInstance instance = new SyncedInstance(this.store, this.clock, SyncedInstance.oneOf(3));

	private final SyncedInstance other = new SyncedInstance(this.otherStore, this.clock, SyncedInstance.oneOf(3));

	private final Limit limit = SyncedInstance.fixed("1000/10s");

	@Test
	void theyAreAdmittedAndRefusedAlike() {
		SplittableRandom random = new SplittableRandom(22);
		int admitted = 0;
		int refused = 0;
		for (int i = 0; i < REQUESTS; i++) {
			long cost = random.nextLong(1, 4);
			Optional<AcquireResult> here = this.instance.tryAcquire(this.limit, SUBJECT, cost);
			admitted += here.filter(AcquireResult.Admitted.class::isInstance).isPresent() ? 1 : 0;
			refused += here.filter(AcquireResult.Refused.class::isInstance).isPresent() ? 1 : 0;
			assertThat(here.orElseGet(() -> this.instance.acquire(this.limit, SUBJECT, cost))).as("request %d", i)
				.isEqualTo(this.other.acquire(this.limit, SUBJECT, cost));
			this.clock.advance(Duration.ofMillis(random.nextInt(10)));
			if (random.nextInt(50) == 0) {
				this.instance.round();
				this.other.round();
			}
		}
		assertThat(admitted).as("admitted without a slot").isGreaterThan(100);
		assertThat(refused).as("refused without a slot").isGreaterThan(100);
		assertThat(this.store.acquired()).isEqualTo(this.otherStore.acquired());
	}

	/** Clients that send ever new keys do not take the places of those that return. */
	@Test
	void aClientIsKnownFromItsFirstCallOfTheStoreAndReturnsFromItsSecondRequest() {
		SyncedLimit synced = new SyncedLimit(this.limit, new SyncSchedule(Duration.ofSeconds(1), () -> {
		}), () -> new LocalQuota(Optional.empty(), 0));
		assertThat(synced.known(SUBJECT)).isNull();
		SyncedCounter first = synced.counter(SUBJECT);
		assertThat(first.clearUsed()).as("after one request").isFalse();
		assertThat(synced.known(SUBJECT)).isSameAs(first);
		assertThat(first.clearUsed()).as("after another").isTrue();
		assertThat(first.clearUsed()).as("since then").isFalse();
		assertThat(this.instance.tryAcquire(this.limit, SUBJECT, 1)).isEmpty();
		assertThat(this.instance.unsynced(this.limit, SUBJECT)).isZero();
	}

}
