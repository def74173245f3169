package dev.ratelimit.datacenters;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Inspector;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.Usage;
import dev.ratelimit.store.redis.SharedRedis;
import dev.ratelimit.store.redis.StoreRequests;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Limits that data centres share, on a Redis each.
 */
class SharedPoolsTests {

	/**
	 * 100 a day: 5 for each of two data centres, 90 for both, at most 20 unacknowledged.
	 */
	private static final Limit HUNDRED = DataCentersApart.everywhere("hundred", "100/1d");

	private static void await(Runnable assertion) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(10))
			.pollInterval(Duration.ofMillis(20))
			.untilAsserted(assertion::run);
	}

	private static void agreed(DataCentersApart all, String name) {
		await(() -> assertThat(all.pools(name).peers()).allSatisfy((peer) -> {
			assertThat(peer.sinceReply()).isPresent();
			assertThat(peer.problem()).isEmpty();
		}));
	}

	@Test
	@DisplayName("3.23: a data centre that is cut off admits its share and the bound")
	void oneThatIsCutOffAdmitsItsShareAndTheBound() {
		try (DataCentersApart all = new DataCentersApart("a", "b")) {
			all.open(HUNDRED);
			all.line("a", "b").holdReplies();
			all.line("b", "a").holdReplies();
			assertThat(all.admitted("a", HUNDRED, "u1", 100)).isEqualTo(5 + 20);
			assertThat(all.admitted("b", HUNDRED, "u1", 100)).isEqualTo(5 + 20);
			assertThat(all.pools("a").missing()).isEqualTo(75);
		}
	}

	@Test
	@DisplayName("3.24: what was taken is acknowledged in the background")
	void oneThatIsAloneAdmitsAllButTheSharesOfTheOthers() {
		try (DataCentersApart all = new DataCentersApart("a", "b")) {
			all.open(HUNDRED);
			int[] admitted = { 0 };
			await(() -> assertThat(admitted[0] += all.admitted("a", HUNDRED, "u1", 5)).isGreaterThanOrEqualTo(95));
			assertThat(admitted[0] + all.admitted("a", HUNDRED, "u1", 50)).isEqualTo(95);
			await(() -> assertThat(all.view("b", "hundred:u1")).containsEntry("a", "90"));
			assertThat(all.admitted("b", HUNDRED, "u1", 50)).as("its share is its own").isEqualTo(5);
		}
	}

	@Test
	void allTogetherAdmitNoMoreThanTheBoundWhateverTheyDo() {
		try (DataCentersApart all = new DataCentersApart("a", "b", "c")) {
			all.open(HUNDRED);
			int admitted = 0;
			for (int i = 0; i < 100; i++) {
				admitted += all.admitted("a", HUNDRED, "u1", 3) + all.admitted("b", HUNDRED, "u1", 3)
						+ all.admitted("c", HUNDRED, "u1", 3);
			}
			assertThat(admitted).isBetween(100, 120);
		}
	}

	@Test
	void aRefusalThatOnlyLacksAnAcknowledgementEndsSoon() {
		try (DataCentersApart all = new DataCentersApart("a", "b")) {
			all.open(HUNDRED);
			all.line("a", "b").holdReplies();
			all.admitted("a", HUNDRED, "u1", 25);
			AcquireResult refused = StoreRequests.acquire(all.store("a"), HUNDRED, "u1");
			assertThat(refused).isInstanceOfSatisfying(AcquireResult.Refused.class, (refusal) -> {
				assertThat(refusal.usage().get(0).retryMicros()).isEqualTo(1_000_000);
				assertThat(refusal.usage().get(0).remaining()).isZero();
			});
		}
	}

	@Test
	void aReleasedPermitIsUsedAgainAtHome() {
		try (DataCentersApart all = new DataCentersApart("a", "b")) {
			all.open(HUNDRED);
			all.line("a", "b").holdReplies();
			AcquireRequest request = StoreRequests.request(HUNDRED, "u1", 25);
			AcquireResult.Admitted admitted = (AcquireResult.Admitted) StoreRequests.acquire(all.store("a"), request);
			all.store("a")
				.settle(List.of(Settlement.release(new AcquiredPermits(request, admitted.receipts()))),
						Duration.ofSeconds(1))
				.await();
			assertThat(all.admitted("a", HUNDRED, "u1", 50)).isEqualTo(25);
		}
	}

	@Test
	void aCostMayBeSplitOverShareAndPool() {
		try (DataCentersApart all = new DataCentersApart("a", "b")) {
			all.open(HUNDRED);
			assertThat(StoreRequests.acquire(all.store("a"), StoreRequests.request(HUNDRED, "u1", 26)))
				.isInstanceOfSatisfying(AcquireResult.Refused.class,
						(refused) -> assertThat(refused.usage().get(0).retryMicros()).isEqualTo(Usage.NEVER));
			assertThat(StoreRequests.acquire(all.store("a"), StoreRequests.request(HUNDRED, "u1", 25)))
				.isInstanceOf(AcquireResult.Admitted.class);
		}
	}

	@Test
	void aLimitTooSmallForAPoolIsDividedByTheOrderOfNames() {
		Limit five = DataCentersApart.everywhere("five", "5/1d");
		try (DataCentersApart all = new DataCentersApart("c", "a", "b")) {
			all.open(five);
			assertThat(all.admitted("a", five, "u1", 10)).isEqualTo(2);
			assertThat(all.admitted("b", five, "u1", 10)).isEqualTo(2);
			assertThat(all.admitted("c", five, "u1", 10)).isEqualTo(1);
		}
	}

	@Test
	void whatARedisHasLostItLearnsFromTheOthers() {
		try (DataCentersApart all = new DataCentersApart("a", "b")) {
			all.open(HUNDRED);
			int[] admitted = { 0 };
			await(() -> assertThat(admitted[0] += all.admitted("a", HUNDRED, "u1", 5)).isGreaterThanOrEqualTo(60));
			await(() -> assertThat(all.isAcknowledged("a", "hundred:u1")).isTrue());
			int taken = Integer.parseInt(all.view("a", "hundred:u1").get("a"));
			try (Jedis jedis = SharedRedis.connect(all.server("a"))) {
				jedis.flushAll();
			}
			admitted[0] += all.admitted("a", HUNDRED, "u1", 6);
			await(() -> assertThat(Integer.parseInt(all.view("a", "hundred:u1").get("a")))
				.isGreaterThanOrEqualTo(taken));
			for (int i = 0; i < 50; i++) {
				admitted[0] += all.admitted("a", HUNDRED, "u1", 5) + all.admitted("b", HUNDRED, "u1", 5);
			}
			assertThat(admitted[0]).isLessThanOrEqualTo(100 + 20 + 5 + 2 * 20);
		}
	}

	@Test
	@DisplayName("3.24: after a partition, all know the same")
	void afterAPartitionAllKnowTheSame() {
		try (DataCentersApart all = new DataCentersApart("a", "b")) {
			all.open(HUNDRED);
			all.line("a", "b").holdReplies();
			all.line("b", "a").holdReplies();
			all.admitted("a", HUNDRED, "u1", 10);
			all.admitted("b", HUNDRED, "u1", 20);
			assertThat(all.view("a", "hundred:u1")).isEqualTo(Map.of("a", "5"));
			all.line("a", "b").passReplies();
			all.line("b", "a").passReplies();
			await(() -> {
				assertThat(all.view("a", "hundred:u1")).isEqualTo(Map.of("a", "5", "b", "15"));
				assertThat(all.view("b", "hundred:u1")).isEqualTo(Map.of("a", "5", "b", "15"));
			});
		}
	}

	@Test
	void withAnotherSecretNothingIsTakenFromThePool() {
		try (DataCentersApart all = new DataCentersApart("a", "b")) {
			all.open(HUNDRED);
			agreed(all, "a");
			all.open("b", "other", HUNDRED);
			await(() -> assertThat(all.pools("a").peers()).first()
				.extracting(PeerStatus::problem)
				.asString()
				.contains("Data centre b has another ratelimit.key-secret or ratelimit.ipv6-prefix than a"));
			assertThat(all.admitted("a", HUNDRED, "u1", 50)).isEqualTo(5);
			assertThat(all.admitted("b", HUNDRED, "u1", 50)).isEqualTo(5);
		}
	}

	@Test
	void withAnotherThresholdTheSmallerShareHolds() {
		Limit more = DataCentersApart.everywhere("hundred", "200/1d");
		try (DataCentersApart all = new DataCentersApart("a", "b")) {
			all.open(HUNDRED);
			all.open("b", "same", more);
			all.pools("b").awaitComparison();
			assertThat(all.admitted("a", HUNDRED, "u1", 6)).isEqualTo(6);
			await(() -> assertThat(all.isAcknowledged("a", "hundred:u1")).isTrue());
			assertThat(all.admitted("b", more, "u1", 50)).isEqualTo(5);
			assertDiffers(all, "b", "Data centre a divides rule 'hundred' in another way");
		}
	}

	/** Data centres that take nothing from the pool have no permits to report. */
	@Test
	void onceAllHaveANewThresholdThePoolIsOpenAgain() {
		Limit more = DataCentersApart.everywhere("hundred", "200/1d");
		try (DataCentersApart all = new DataCentersApart("a", "b")) {
			all.open(HUNDRED);
			all.admitted("a", HUNDRED, "u1", 10);
			all.admitted("b", HUNDRED, "u1", 10);
			await(() -> assertThat(all.view("a", "hundred:u1")).isEqualTo(Map.of("a", "5", "b", "5")));
			all.open("a", "same", more);
			all.open("b", "same", more);
			int[] admitted = { 20 };
			await(() -> {
				admitted[0] += all.admitted("a", more, "u1", 5) + all.admitted("b", more, "u1", 5);
				assertThat(admitted[0]).isGreaterThanOrEqualTo(200);
			});
			assertThat(admitted[0]).isLessThanOrEqualTo(240);
		}
	}

	/** What b has decided before is older than what it is asked for now. */
	@Test
	void aClientThatIsNotUsedElsewhereGetsANewThresholdTenSecondsLater() {
		Limit more = DataCentersApart.everywhere("hundred", "200/1d");
		Instant start = Instant.parse("2026-11-25T12:00:00Z");
		try (DataCentersApart all = new DataCentersApart("a", "b").stopped(start).open(HUNDRED)) {
			all.admitted("a", HUNDRED, "u1", 10);
			all.admitted("b", HUNDRED, "u1", 10);
			await(() -> assertThat(all.view("a", "hundred:u1")).isEqualTo(Map.of("a", "5", "b", "5")));
			all.open("a", "same", more);
			all.open("b", "same", more);
			all.pools("a").awaitComparison();
			assertThat(all.admitted("a", more, "u1", 50)).as("the smaller share of both").isZero();
			all.time("b", start.plus(Duration.ofSeconds(10)));
			int[] admitted = { 20 };
			await(() -> assertThat(admitted[0] += all.admitted("a", more, "u1", 5)).isGreaterThanOrEqualTo(190));
			assertThat(admitted[0] + all.admitted("b", more, "u1", 50)).isBetween(195, 240);
		}
	}

	@Test
	void oneThatJoinsTakesNothingFromThePoolsOfTheOthers() {
		try (DataCentersApart all = new DataCentersApart("a", "b", "c").peers("a", "b").peers("b", "a")) {
			all.open("a", "same", HUNDRED);
			all.open("b", "same", HUNDRED);
			agreed(all, "a");
			all.open("c", "same", HUNDRED);
			all.pools("c").awaitComparison();
			assertThat(all.admitted("c", HUNDRED, "u1", 50)).isEqualTo(3);
			assertDiffers(all, "c", "Data centre a takes part with a,b, and c with a,b,c");
			assertDiffers(all, "a", "Data centre c takes part, but is not among ratelimit.datacenter.peers of a");
			assertThat(all.admitted("a", HUNDRED, "u1", 50)).isEqualTo(5);
		}
	}

	private static void assertDiffers(DataCentersApart all, String name, String difference) {
		await(() -> assertThat(all.pools(name).peers()).first()
			.extracting(PeerStatus::problem)
			.asString()
			.contains(difference));
	}

	@Test
	void whatTheRedisOfAnotherStoresIsNoAcknowledgement() {
		try (DataCentersApart all = new DataCentersApart("a", "b", "c").misdirect("a", "b", "c")) {
			all.open(HUNDRED);
			assertDiffers(all, "a", "The Redis at ratelimit.datacenter.peers.b is the one of data centre c");
			assertThat(all.admitted("a", HUNDRED, "u1", 50)).isEqualTo(3);
			assertThat(all.view("a", "hundred:u1")).isEqualTo(Map.of("a", "0"));
		}
	}

	@Test
	void dataCentersInOneRedisTakeNothingFromThePool() {
		try (DataCentersApart all = new DataCentersApart("a", "b").misdirect("b", "b", "a")) {
			all.open(HUNDRED);
			assertDiffers(all, "a", "Data centre b has the same Redis as a");
			assertDiffers(all, "b", "Data centre a has the same Redis as b");
			assertThat(all.admitted("a", HUNDRED, "u1", 50) + all.admitted("b", HUNDRED, "u1", 50)).isEqualTo(5);
		}
	}

	@Test
	void nothingIsTakenFromAPoolBeforeTheFirstComparison() {
		try (DataCentersApart all = new DataCentersApart("a", "b")) {
			all.open("a", "same");
			assertThat(all.admitted("a", HUNDRED, "u1", 50)).isEqualTo(5);
		}
	}

	@Test
	void whatCannotBeDeliveredIsShown() {
		try (DataCentersApart all = new DataCentersApart("a", "b")) {
			all.open(HUNDRED);
			all.line("a", "b").holdReplies();
			all.admitted("a", HUNDRED, "u1", 25);
			await(() -> assertThat(all.pools("a").peers().get(0).unacknowledged()).isEqualTo(1));
			assertDiffers(all, "a", "Data centre b does not reply");
			all.line("a", "b").passReplies();
			agreed(all, "a");
			await(() -> assertThat(all.pools("a").peers().get(0).unacknowledged()).isZero());
		}
	}

	/** Of 200 clients that lack its acknowledgement, none is read for it in vain. */
	@Test
	void onePeerThatIsAwayCostsTheRedisHereNoReads() {
		try (DataCentersApart all = new DataCentersApart("a", "b")) {
			all.open(HUNDRED);
			all.server("b").kill();
			for (int i = 0; i < 200; i++) {
				all.admitted("a", HUNDRED, "u" + i, 25);
			}
			await(() -> assertThat(all.pools("a").peers().get(0).unacknowledged()).isPositive());
			long before = all.reads("a");
			int requests = 2000;
			for (int i = 0; i < requests; i++) {
				all.admitted("a", HUNDRED, "u" + i % 200, 1);
			}
			assertThat(all.reads("a") - before).as("those of the refusals").isEqualTo(requests);
		}
	}

	@Test
	void withoutARuleThatNeedsItNothingIsExchanged() {
		try (DataCentersApart all = new DataCentersApart("a", "b")) {
			all.open(HUNDRED);
			all.pools("a").retain(List.of());
			await(() -> assertThat(all.pools("a").peers().get(0).sinceReply().orElseThrow())
				.isGreaterThan(Duration.ofMillis(1500)));
			all.pools("a").retain(List.of(HUNDRED));
			await(() -> assertThat(all.pools("a").peers().get(0).sinceReply().orElseThrow())
				.isLessThan(Duration.ofSeconds(1)));
		}
	}

	@Test
	void clientsWithinTheirShareAreNeverSent() {
		try (DataCentersApart all = new DataCentersApart("a", "b")) {
			all.open(HUNDRED);
			agreed(all, "a");
			assertThat(all.admitted("a", HUNDRED, "u1", 5)).isEqualTo(5);
			await(() -> assertThat(all.pools("a").peers().get(0).sinceReply().orElseThrow())
				.isLessThan(Duration.ofMillis(500)));
			assertThat(all.line("a", "b").requested("u1")).isZero();
			assertThat(all.admitted("a", HUNDRED, "u1", 1)).isEqualTo(1);
			await(() -> assertThat(all.line("a", "b").requested("u1")).isPositive());
		}
	}

	@Test
	void aResetWorksInAllDataCenters() {
		try (DataCentersApart all = new DataCentersApart("a", "b")) {
			all.open(HUNDRED);
			all.admitted("a", HUNDRED, "u1", 25);
			all.admitted("b", HUNDRED, "u1", 25);
			Inspector inspector = all.store("a").capabilities().inspector().orElseThrow();
			await(() -> assertThat(all.isAcknowledged("a", "hundred:u1") && all.isAcknowledged("b", "hundred:u1"))
				.isTrue());
			assertThat(inspector.reset(HUNDRED, new Subject("u1"), Duration.ofSeconds(1))).isEmpty();
			try (Jedis jedis = SharedRedis.connect(all.server("b"))) {
				assertThat(jedis.keys("*u1*")).isEmpty();
			}
		}
	}

	/** Its entry is still there. */
	@Test
	void oneThatWasRemovedAndIsSilentClosesNothing() {
		try (DataCentersApart all = new DataCentersApart("a", "b")) {
			all.open(HUNDRED);
			agreed(all, "a");
			try (Jedis jedis = SharedRedis.connect(all.server("a"))) {
				jedis.eval("""
						local key = KEYS[1]
						local centers = cmsgpack.unpack(redis.call('GET', key))
						local time = redis.call('TIME')
						centers['gone'] = { 'a,b,gone other', (time[1] - 11) * 1000000, 0 }
						redis.call('SET', key, cmsgpack.pack(centers), 'KEEPTTL')
						""", List.of(SharedRedis.PREFIX + ":{datacenters}"), List.of());
			}
			int[] admitted = { 0 };
			await(() -> assertThat(admitted[0] += all.admitted("a", HUNDRED, "u1", 5)).isEqualTo(95));
			assertThat(all.pools("a").peers()).allSatisfy((peer) -> assertThat(peer.problem()).isEmpty());
		}
	}

}
