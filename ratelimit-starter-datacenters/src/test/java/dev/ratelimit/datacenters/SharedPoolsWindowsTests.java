package dev.ratelimit.datacenters;

import java.time.Duration;
import java.time.Instant;

import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.redis.StoreRequests;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The windows of limits that data centres share, on clocks that the test sets.
 */
class SharedPoolsWindowsTests {

	private static final Instant START = Instant.parse("2026-11-25T12:00:00Z");

	private static final Instant LATER = START.plus(Duration.ofHours(1));

	/** 5 for each of two data centres, 90 for both, at most 20 unacknowledged. */
	private static final Limit HUNDRED = DataCentersApart.everywhere("hundred", "100/10m");

	/** Requests until no data centre admits any more, at least this many are admitted. */
	private static int all(DataCentersApart all, Limit limit, int least, String... names) {
		int[] admitted = { 0 };
		Awaitility.await().atMost(Duration.ofSeconds(20)).pollInterval(Duration.ofMillis(20)).untilAsserted(() -> {
			for (String name : names) {
				admitted[0] += all.admitted(name, limit, "u1", 3);
			}
			assertThat(admitted[0]).isGreaterThanOrEqualTo(least);
		});
		for (String name : names) {
			admitted[0] += all.admitted(name, limit, "u1", 100);
		}
		return admitted[0];
	}

	@Test
	void oneWhoseClockIsAnHourAheadIsAsIfCutOffAndTheOtherAsIfAlone() {
		try (DataCentersApart all = new DataCentersApart("a", "b").stopped(START).open(HUNDRED)) {
			all.time("a", LATER);
			int ahead = all(all, HUNDRED, 5 + 20, "a");
			assertThat(ahead).isEqualTo(5 + 20);
			assertThat(all(all, HUNDRED, 95, "b")).isEqualTo(95);
			assertThat(all.admitted("a", HUNDRED, "u1", 50)).as("nothing was acknowledged").isZero();

			all.time("b", LATER);
			assertThat(ahead + all(all, HUNDRED, 100 - ahead, "b", "a")).as("in the window in which a was ahead")
				.isBetween(100, 120);
		}
	}

	@Test
	void whatOneTakesInTheNextWindowIsKnownThere() {
		try (DataCentersApart all = new DataCentersApart("a", "b").stopped(START).open(HUNDRED)) {
			all.time("a", START.plus(Duration.ofMinutes(10)));
			assertThat(all(all, HUNDRED, 95, "a")).isEqualTo(95);
			Awaitility.await().until(() -> all.isAcknowledged("a", "hundred:u1"));
			all.time("b", START.plus(Duration.ofMinutes(10)));
			assertThat(all.admitted("b", HUNDRED, "u1", 50)).isEqualTo(5);
		}
	}

	@Test
	void aClockThatStepsBackBeginsNoWindowAgain() {
		try (DataCentersApart all = new DataCentersApart("a", "b").stopped(START).open(HUNDRED)) {
			assertThat(all(all, HUNDRED, 95, "a")).isEqualTo(95);
			all.time("a", START.minus(Duration.ofMinutes(10)));
			assertThat(all.admitted("a", HUNDRED, "u1", 50)).isZero();
			assertThat(StoreRequests.acquire(all.store("a"), HUNDRED, "u1")).isInstanceOfSatisfying(
					AcquireResult.Refused.class,
					(refused) -> assertThat(refused.usage().get(0).retryMicros())
						.as("until the window ends by that clock")
						.isEqualTo(Duration.ofMinutes(20).toNanos() / 1000));
			all.time("a", START.plus(Duration.ofMinutes(10)));
			assertThat(all.admitted("a", HUNDRED, "u1", 5)).isEqualTo(5);
		}
	}

	@Test
	void allWindowsOfALimitHold() {
		Limit two = DataCentersApart.everywhere("two", "100/10m", "150/1d");
		try (DataCentersApart all = new DataCentersApart("a", "b").stopped(START).open(two)) {
			int first = all(all, two, 100, "a", "b");
			assertThat(first).isBetween(100, 120);
			for (String name : new String[] { "a", "b" }) {
				all.time(name, LATER);
			}
			assertThat(first + all(all, two, 150 - first, "a", "b")).isBetween(150, 150 + 30);
		}
	}

	@Test
	void aCostIsTakenWholeOrNotAtAll() {
		try (DataCentersApart all = new DataCentersApart("a", "b").stopped(START).open(HUNDRED)) {
			all.line("a", "b").holdReplies();
			assertThat(all.admitted("a", HUNDRED, "u1", 50, 7)).as("of 25").isEqualTo(3);
			assertThat(all.admitted("a", HUNDRED, "u1", 50)).isEqualTo(25 - 21);
		}
	}

	/** Another data centre may still count it in the old windows. */
	@Test
	void aClientThatGetsOtherWindowsHasOnlyItsShareForTenSeconds() {
		Limit free = DataCentersApart.everywhere("plans", "100/10m");
		Limit paid = DataCentersApart.everywhere("plans", "500/1d");
		try (DataCentersApart all = new DataCentersApart("a", "b").stopped(START).open(free, paid)) {
			all(all, free, 95, "a");
			assertThat(all.admitted("a", paid, "u1", 50)).isEqualTo(25);
			assertThat(all.admitted("a", paid, "u2", 50)).as("a client that had no other windows").isEqualTo(50);
			// The ten seconds begin with the last message about the old windows.
			Awaitility.await().until(() -> all.isAcknowledged("a", "plans:u1"));
			all.time("a", START.plus(Duration.ofSeconds(10)));
			assertThat(25 + all(all, paid, 450, "a")).isEqualTo(475);
		}
	}

}
