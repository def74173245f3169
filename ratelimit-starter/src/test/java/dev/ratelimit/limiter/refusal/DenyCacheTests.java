package dev.ratelimit.limiter.refusal;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.Usage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DenyCacheTests {

	private static final long MILLI = 1_000_000;

	private static final Duration SECOND = Duration.ofSeconds(1);

	private final Limit limit = Limits.of("r", "5/1m");

	private final DenyCache cache = new DenyCache(SECOND);

	private static AcquireRequest request(Limit limit, String subject, long cost) {
		return new AcquireRequest(limit, new Subject(subject), cost, new PermitId("p"));
	}

	/** A refusal of a request that was sent at 0 and answered at 10 ms. */
	private void remember(String subject, long cost, long... retryMicros) {
		this.cache.remember(request(this.limit, subject, cost),
				IntStream.range(0, retryMicros.length).mapToObj((i) -> new Usage(i, 90_000, retryMicros[i])).toList(),
				0, 10 * MILLI);
	}

	private Optional<CachedRefusal> find(String subject, long cost, long nowNanos) {
		return Optional.ofNullable(this.cache.find(this.limit, new Subject(subject), cost, nowNanos));
	}

	private static List<Usage> usage(CachedRefusal refusal, long nowNanos) {
		return ((AcquireResult.Refused) refusal.again(nowNanos).result()).usage();
	}

	@Test
	void aRefusalHoldsFromBeforeItWasSentForLessThanItsWait() {
		remember("a", 1, 50_000);
		assertThat(find("a", 1, 50 * MILLI - 1001)).isPresent();
		assertThat(find("a", 1, 50 * MILLI - 1000)).as("stores count in whole microseconds").isEmpty();
	}

	@Test
	void itHoldsUntilTheLastWindowCouldAdmit() {
		remember("a", 1, 20_000, 60_000, 0);
		assertThat(find("a", 1, 59 * MILLI)).isPresent();
		assertThat(find("a", 1, 60 * MILLI)).isEmpty();
	}

	@Test
	void itIsRememberedNoLongerThanTheCacheMay() {
		remember("a", 1, 30_000_000);
		remember("never", 9, Usage.NEVER);
		for (String subject : List.of("a", "never")) {
			long cost = "a".equals(subject) ? 1 : 9;
			assertThat(find(subject, cost, 1000 * MILLI - 1)).as(subject).isPresent();
			assertThat(find(subject, cost, 1000 * MILLI)).as(subject).isEmpty();
		}
	}

	@Test
	void aRefusalThatIsOverWhenItArrivesIsNotRemembered() {
		remember("a", 1, 9_000);
		assertThat(find("a", 1, 5 * MILLI)).isEmpty();
	}

	@Test
	void itIsAboutOneLimitOneSubjectAndOneCost() {
		DenyCache onePlace = new DenyCache(SECOND, 4);
		onePlace.remember(request(this.limit, "a", 3), List.of(new Usage(0, 0, 50_000)), 0, 10 * MILLI);
		assertThat(onePlace.find(this.limit, new Subject("a"), 3, 20 * MILLI)).isNotNull();
		assertThat(onePlace.find(this.limit, new Subject("b"), 3, 20 * MILLI)).isNull();
		assertThat(onePlace.find(this.limit, new Subject("a"), 2, 20 * MILLI)).as("may be admitted").isNull();
		assertThat(onePlace.find(this.limit, new Subject("a"), 4, 20 * MILLI)).as("has to wait longer").isNull();
		assertThat(onePlace.find(Limits.of("r", "5/1m"), new Subject("a"), 3, 20 * MILLI)).as("of a new rule set")
			.isNull();
	}

	@Test
	void itsTimesRunFromItsReplySoThatNoClientRetriesTooEarly() {
		remember("a", 1, 30_000, 50_000, Usage.NEVER, 0);
		CachedRefusal refusal = find("a", 1, 45 * MILLI).orElseThrow();
		assertThat(usage(refusal, 45 * MILLI)).containsExactly(new Usage(0, 55_000, 0), new Usage(1, 55_000, 15_000),
				new Usage(2, 55_000, Usage.NEVER), new Usage(3, 55_000, 0));
	}

	@Test
	void aClockReadBeforeTheReplyYieldsTheWholeWait() {
		remember("a", 1, 50_000);
		assertThat(usage(find("a", 1, 2 * MILLI).orElseThrow(), 2 * MILLI))
			.containsExactly(new Usage(0, 90_000, 50_000));
	}

	@Test
	void aLaterRefusalTakesThePlaceOfTheEarlier() {
		remember("a", 1, 50_000);
		this.cache.remember(request(this.limit, "a", 1), List.of(new Usage(0, 0, 50_000)), 40 * MILLI, 41 * MILLI);
		assertThat(find("a", 1, 80 * MILLI)).isPresent();
	}

	@Test
	void afterAReleaseRefusalsOfItsRuleAreNotCached() {
		this.cache.permitReleased("other", 10 * MILLI);
		remember("a", 1, 50_000);
		assertThat(find("a", 1, 20 * MILLI)).isPresent();
		this.cache.permitReleased("r", 20 * MILLI);
		assertThat(find("a", 1, 20 * MILLI)).as("cached before the release").isEmpty();
		remember("b", 1, 50_000);
		assertThat(find("b", 1, 20 * MILLI)).isEmpty();
	}

	@Test
	void longAfterAReleaseTheyAreCachedAgain() {
		this.cache.permitReleased("r", 0);
		long over = SECOND.toNanos();
		List<Usage> usage = List.of(new Usage(0, 90_000, 50_000));
		this.cache.remember(request(this.limit, "a", 1), usage, over - 1, over);
		assertThat(find("a", 1, over)).as("sent before it was over").isEmpty();
		this.cache.remember(request(this.limit, "a", 1), usage, over, over);
		assertThat(find("a", 1, over)).isPresent();
		this.cache.permitReleased("r", over);
		assertThat(find("a", 1, over)).as("before the next release").isEmpty();
	}

	@Test
	void aReleaseUnderOtherRulesSaysNothingAboutTheRulesInForce() {
		this.cache.permitReleased("r", 0);
		this.cache.clear();
		remember("a", 1, 50_000);
		assertThat(find("a", 1, 20 * MILLI)).isPresent();
		this.cache.clear();
		assertThat(find("a", 1, 20 * MILLI)).isEmpty();
	}

	@Test
	void aCacheThatIsOffStoresNothing() {
		DenyCache off = DenyCache.off();
		off.remember(request(this.limit, "a", 1), List.of(new Usage(0, 90_000, 50_000)), 0, 0);
		assertThat(off.find(this.limit, new Subject("a"), 1, 0)).isNull();
	}

	@Test
	void itsSizeIsBoundedAndRefusalsThatEndFirstAreEvicted() {
		DenyCache small = new DenyCache(SECOND, 4);
		for (long millis : new long[] { 400, 100, 300, 200, 500 }) {
			small.remember(request(this.limit, "for-" + millis, 1), List.of(new Usage(0, 0, millis * 1000)), 0, MILLI);
		}
		assertThat(Stream.of(100, 200, 300, 400, 500)
			.filter((millis) -> small.find(this.limit, new Subject("for-" + millis), 1, 50 * MILLI) != null))
			.containsExactly(200, 300, 400, 500);
	}

	@Test
	void manySubjectsFindAPlace() {
		List<String> subjects = new SplittableRandom(1).longs(4096)
			.mapToObj((id) -> "h" + Long.toHexString(id))
			.toList();
		subjects.forEach((subject) -> remember(subject, 1, 900_000));
		assertThat(subjects.stream().filter((subject) -> find(subject, 1, 20 * MILLI).isPresent()).count())
			.as("a quarter of what fits, spread evenly")
			.isGreaterThan(4096 * 95 / 100);
	}

}
