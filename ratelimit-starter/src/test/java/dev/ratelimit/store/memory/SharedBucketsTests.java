package dev.ratelimit.store.memory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Inspection;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SettlementResult;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.Usage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Beyond a bound new subjects share buckets: the heap stays bounded, no subject exceeds
 * its limit, and subjects that are counted retain buckets of their own.
 */
class SharedBucketsTests {

	private static final int OWN = 3;

	private static final Duration WINDOW = Duration.ofSeconds(60);

	private final MovableClock clock = new MovableClock();

	private final AtomicInteger ids = new AtomicInteger();

	private final List<String> reported = new ArrayList<>();

	private final MemoryStore store = new MemoryStore(this.clock, this.reported::add, OWN, 1);

	private final Limit limit = Limits.of("shared", "2/60s");

	private AcquireRequest request(Limit limit, String subject, long cost) {
		return new AcquireRequest(limit, new Subject(subject), cost, new PermitId("p" + this.ids.incrementAndGet()));
	}

	private boolean isAdmitted(String subject) {
		return isAdmitted(this.limit, subject);
	}

	private boolean isAdmitted(Limit limit, String subject) {
		return result(this.store, request(limit, subject, 1)) instanceof AcquireResult.Admitted;
	}

	private static AcquireResult result(MemoryStore store, AcquireRequest request) {
		return store.acquire(List.of(request), Patience.LONG).await().get(0);
	}

	private static SettlementResult release(MemoryStore store, AcquiredPermits taken) {
		return store.settle(List.of(Settlement.release(taken)), Duration.ZERO).await().get(0);
	}

	private void fill() {
		for (int i = 0; i < OWN; i++) {
			assertThat(isAdmitted("counted" + i)).isTrue();
		}
	}

	@Test
	void newSubjectsShareABucketAndThoseThatAreCountedKeepTheirOwn() {
		fill();
		int admitted = 0;
		for (int i = 0; i < 1000; i++) {
			admitted += isAdmitted("newcomer" + i) ? 1 : 0;
		}
		assertThat(admitted).isEqualTo(2);
		assertThat(this.store.subjects()).isEqualTo(OWN);
		assertThat(this.store.sharedBuckets()).isEqualTo(1);
		assertThat(this.store.capabilities().diagnostics().sharedDecisions().getAsLong()).isEqualTo(1000);
		for (int i = 0; i < OWN; i++) {
			assertThat(isAdmitted("counted" + i)).isTrue();
			assertThat(isAdmitted("counted" + i)).isFalse();
		}
	}

	/** A log that is slow keeps no other request waiting. */
	@Test
	void theReportIsMadeWhileNoSubjectIsLocked() {
		List<MemoryStore> reporting = new ArrayList<>();
		AcquireRequest newcomer = request(this.limit, "newcomer", 1);
		reporting.add(new MemoryStore(this.clock, (rule) -> {
			assertThat(result(reporting.get(0), newcomer)).as("of the same subject").isNotNull();
			this.reported.add(rule);
		}, 0, 1));
		assertThat(result(reporting.get(0), newcomer)).isNotNull();
		assertThat(this.reported).containsExactly("shared");
	}

	@Test
	void otherRulesAreNotAffected() {
		fill();
		assertThat(isAdmitted(Limits.of("other", "1/60s"), "newcomer")).isTrue();
		assertThat(this.store.subjects()).isEqualTo(OWN + 1);
		assertThat(this.store.capabilities().diagnostics().sharedDecisions().getAsLong()).isZero();
	}

	@Test
	void theBoundOfAStoreIsThatOfTheLeases() {
		MemoryStore whole = new MemoryStore(this.clock);
		for (int i = 0; i < MemoryStore.MOST_SUBJECTS + 10_000; i++) {
			result(whole, request(this.limit, "newcomer" + i, 1));
		}
		assertThat(whole.subjects()).isEqualTo(50_000);
		assertThat(whole.sharedBuckets()).isLessThanOrEqualTo(1024);
		assertThat(whole.capabilities().diagnostics().sharedDecisions().getAsLong()).isEqualTo(10_000);
	}

	@Test
	void aSubjectOfASharedBucketGetsItsOwnOnceNothingOfItIsLeftThere() {
		fill();
		assertThat(isAdmitted("first")).isTrue();
		this.clock.advance(WINDOW.minusSeconds(1));
		assertThat(isAdmitted("second")).isTrue();
		this.clock.advance(Duration.ofSeconds(1));
		this.store.sweep(100);
		assertThat(this.store.subjects()).isZero();
		assertThat(isAdmitted("second")).as("with one permit that is still counted").isTrue();
		assertThat(isAdmitted("second")).isFalse();
		assertThat(this.store.subjects()).isZero();
		this.clock.advance(WINDOW);
		assertThat(isAdmitted("second")).isTrue();
		assertThat(this.store.subjects()).isEqualTo(1);
		assertThat(this.store.sharedBuckets()).isZero();
	}

	@Test
	void aSubjectGetsNoBucketOfItsOwnByAnotherPlan() {
		Limit other = Limits.of("shared", "5/60s");
		fill();
		this.clock.advance(WINDOW.dividedBy(2));
		assertThat(isAdmitted("newcomer")).isTrue();
		assertThat(isAdmitted("newcomer")).isTrue();
		this.clock.advance(WINDOW.dividedBy(2));
		this.store.sweep(100);
		assertThat(isAdmitted(other, "newcomer")).isTrue();
		assertThat(isAdmitted("newcomer")).as("both of its first plan are still counted").isFalse();
		assertThat(this.store.subjects()).isZero();
	}

	@Test
	void sharedBucketsInWhichNothingIsLeftAreDropped() {
		fill();
		assertThat(isAdmitted("newcomer")).isTrue();
		this.clock.advance(WINDOW);
		this.store.sweep(100);
		assertThat(this.store.sharedBuckets()).isZero();
		assertThat(this.store.subjects()).isZero();
	}

	@Test
	void aSubjectThatCannotBeCountedTakesNoRoom() {
		AtomicInteger reads = new AtomicInteger();
		MemoryStore failing = new MemoryStore(() -> {
			if (reads.incrementAndGet() == 2) {
				throw new OutOfMemoryError("of a test");
			}
			return this.clock.instant();
		}, SharedBucketsTests::unreported, 1, 1);
		AcquireRequest first = request(this.limit, "first", 1);
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> result(failing, first));
		assertThat(reads).as("room is taken between the reads").hasValue(2);
		assertThat(result(failing, request(this.limit, "second", 1))).isInstanceOf(AcquireResult.Admitted.class);
		assertThat(failing.sharedBuckets()).isZero();
	}

	@Test
	void noSubjectIsMeasuredByTheLimitOfAnother() {
		fill();
		Limit large = Limits.of("shared", "5/60s");
		for (int i = 0; i < 5; i++) {
			assertThat(isAdmitted(large, "customer")).isTrue();
		}
		assertThat(isAdmitted(large, "customer")).isFalse();
		assertThat(isAdmitted("newcomer")).isTrue();
		assertThat(isAdmitted("newcomer")).isTrue();
		assertThat(isAdmitted("newcomer")).isFalse();
	}

	@Test
	void aResetLeavesWhatASubjectSharesWithOthers() {
		fill();
		assertThat(isAdmitted("newcomer")).isTrue();
		assertThat(isAdmitted("other")).isTrue();
		assertThat(isAdmitted("newcomer")).isFalse();
		assertThat(remaining("newcomer")).isZero();
		assertThat(this.store.reset(this.limit, new Subject("newcomer"), Patience.LONG)).as("still counted")
			.contains(StoreFailure.UNAVAILABLE);
		assertThat(remaining("newcomer")).isZero();
		assertThat(isAdmitted("newcomer")).isFalse();
		assertThat(isAdmitted("other")).isFalse();
	}

	@Test
	void aResetOfASubjectWithItsOwnBucketMakesRoomForOneOnly() {
		fill();
		assertThat(isAdmitted("newcomer")).isTrue();
		assertThat(isAdmitted("newcomer")).isTrue();
		assertThat(this.store.reset(this.limit, new Subject("counted0"), Patience.LONG)).isEmpty();
		assertThat(isAdmitted("counted0")).isTrue();
		assertThat(isAdmitted("counted0")).isTrue();
		assertThat(isAdmitted("counted0")).isFalse();
		assertThat(isAdmitted("newcomer")).isFalse();
		assertThat(this.store.subjects()).isEqualTo(OWN);
	}

	private long remaining(String subject) {
		Inspection.Found found = (Inspection.Found) this.store.peek(this.limit, new Subject(subject), Patience.LONG);
		return found.usage().stream().mapToLong(Usage::remaining).min().orElseThrow();
	}

	/**
	 * A permit that was taken in a subject's own bucket is not released in the one that
	 * it shares later.
	 */
	@Test
	void permitsAreReleasedWhereTheyWereTaken() {
		Limit bucket = Limits.of(Algorithm.TOKEN_BUCKET, "bucket", "10/10s");
		MemoryStore small = new MemoryStore(this.clock, this.reported::add, 1, 1);
		AcquiredPermits late = taken(small, request(bucket, "slow", 5));
		this.clock.advance(Duration.ofSeconds(5));
		small.sweep(10);
		taken(small, request(bucket, "counted", 1));
		taken(small, request(bucket, "newcomer", 10));
		assertThat(release(small, late)).isEqualTo(SettlementResult.ACKNOWLEDGED);
		assertThat(result(small, request(bucket, "newcomer", 1))).isInstanceOf(AcquireResult.Refused.class);
		AcquiredPermits shared = taken(new MemoryStore(this.clock, this.reported::add, 0, 1),
				request(bucket, "newcomer", 1));
		assertThat(shared.receipts()).hasSize(3);
	}

	private static AcquiredPermits taken(MemoryStore store, AcquireRequest request) {
		return new AcquiredPermits(request, ((AcquireResult.Admitted) result(store, request)).receipts());
	}

	/**
	 * Whatever others do in the bucket that a subject shares, and whenever it gets one of
	 * its own: the permits that it was granted and did not release would have been
	 * granted to it alone.
	 */
	@ParameterizedTest
	@EnumSource(Algorithm.class)
	void noSubjectIsEverAdmittedMoreThanAlone(Algorithm algorithm) {
		Limit small = Limits.of(algorithm, "sequences", "3/10s", "5/60s");
		Limit large = Limits.of(algorithm, "sequences", "6/10s");
		int sharedInAll = 0;
		for (int seed = 0; seed < 400; seed++) {
			SplittableRandom random = new SplittableRandom(seed);
			MovableClock time = new MovableClock();
			MemoryStore bounded = new MemoryStore(time, SharedBucketsTests::unreported, 1 + random.nextInt(3),
					1 + random.nextInt(2));
			List<Kept> kept = new ArrayList<>();
			for (int i = 0; i < 120; i++) {
				time.advanceMicros(random.nextInt(4) == 0 ? random.nextInt(20_000_000) : random.nextInt(500_000));
				String subject = "s" + random.nextInt(8);
				AcquireRequest request = request(subject.compareTo("s5") > 0 ? large : small, subject,
						1 + random.nextInt(4) / 3);
				if (result(bounded, request) instanceof AcquireResult.Admitted admitted) {
					kept.add(new Kept(time.instant().toString(), new AcquiredPermits(request, admitted.receipts())));
				}
				if (random.nextInt(4) == 0 && !kept.isEmpty()) {
					release(bounded, kept.remove(random.nextInt(kept.size())).taken());
				}
				if (random.nextInt(10) == 0) {
					bounded.sweep(10);
				}
			}
			sharedInAll += (int) bounded.capabilities().diagnostics().sharedDecisions().getAsLong();
			MemoryStore alone = new MemoryStore(time);
			for (Kept one : kept) {
				time.moveTo(one.at());
				assertThat(result(alone, one.taken().request())).as("seed %d at %s", seed, one.at())
					.isInstanceOf(AcquireResult.Admitted.class);
			}
		}
		assertThat(sharedInAll).isGreaterThan(400 * 20);
	}

	private record Kept(String at, AcquiredPermits taken) {
	}

	@Test
	void noSubjectIsAdmittedMoreByManyThreadsAtOnce() throws Exception {
		MemoryStore busy = new MemoryStore(this.clock, SharedBucketsTests::unreported, 20, 4);
		Map<String, AtomicInteger> admitted = new ConcurrentHashMap<>();
		ExecutorService threads = Executors.newFixedThreadPool(8);
		try {
			List<Callable<Boolean>> tasks = new ArrayList<>();
			for (int i = 0; i < 20_000; i++) {
				String subject = "s" + i % 40;
				tasks.add(() -> {
					if (result(busy, request(this.limit, subject, 1)) instanceof AcquireResult.Admitted) {
						admitted.computeIfAbsent(subject, (missing) -> new AtomicInteger()).incrementAndGet();
					}
					return true;
				});
			}
			for (Future<Boolean> future : threads.invokeAll(tasks)) {
				assertThat(future.get()).isTrue();
			}
		}
		finally {
			threads.shutdown();
		}
		assertThat(admitted.values()).allMatch((permits) -> permits.get() <= 2);
		assertThat(admitted.values().stream().mapToInt(AtomicInteger::get).sum()).isEqualTo((20 + 4) * 2);
	}

	@Test
	void sharingIsReportedOnceAMinute() {
		fill();
		assertThat(this.reported).isEmpty();
		for (int i = 0; i < 100; i++) {
			isAdmitted("newcomer" + i);
		}
		assertThat(this.reported).containsExactly("shared");
		this.clock.advance(Duration.ofSeconds(59));
		isAdmitted("newcomer");
		assertThat(this.reported).hasSize(1);
		this.clock.advance(Duration.ofSeconds(1));
		fill();
		isAdmitted("newcomer");
		assertThat(this.reported).hasSize(2);
	}

	private static void unreported(String rule) {
	}

}
