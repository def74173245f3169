package dev.ratelimit.store.memory;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Refill;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.BucketSequences;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Sequence;
import dev.ratelimit.store.Usage;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The oracle itself, against the definition: the history is replayed from its beginning
 * in exact fractions, without the permits that were released.
 */
class BucketModelTests {

	private static final long START = 1_000_000_000;

	@Property(tries = 4000, edgeCases = EdgeCasesMode.NONE)
	void neverAdmitsWhatItWouldRefuseWithoutThePermitsThatWereReleased(@ForAll("forward") Sequence sequence) {
		replay(sequence, true);
	}

	@Property(tries = 4000, edgeCases = EdgeCasesMode.NONE)
	void neverCreditsTooMuchWhereTheClockStepsBack(@ForAll("withStepsBack") Sequence sequence) {
		replay(sequence, false);
	}

	@Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
	void staysExactWhereNumbersAreLarge(@ForAll("large") Sequence sequence) {
		replay(sequence, true);
	}

	@Provide
	Arbitrary<Sequence> forward() {
		return BucketSequences.forward(Algorithm.TOKEN_BUCKET, Refill.CONTINUOUS);
	}

	@Provide
	Arbitrary<Sequence> withStepsBack() {
		return BucketSequences.withStepsBack(Algorithm.TOKEN_BUCKET, Refill.CONTINUOUS);
	}

	@Provide
	Arbitrary<Sequence> large() {
		return BucketSequences.large(Algorithm.LEAKY_BUCKET);
	}

	private static void replay(Sequence sequence, boolean timeMovesOn) {
		Limit limit = sequence.limit();
		FlowingBucket bucket = new FlowingBucket();
		List<Event> events = new ArrayList<>();
		boolean exact = timeMovesOn;
		long released = 0;
		long now = START;
		for (Sequence.Step step : sequence.steps()) {
			now += step.advanceMicros();
			if (step.release()) {
				long taken = permits(events);
				exact &= release(limit, bucket, events, step.id());
				released += taken - permits(events);
				// Then a bucket drops its receipts, and credits less than it could.
				exact &= released < FlowingBucket.MAX_GIVEN;
				if (!timeMovesOn && bucket.isIdle(0)) {
					assertThat(debts(limit, events, now)).containsOnly(BigInteger.ZERO);
					// Forgotten, and with it which receipts are from before a step back.
					events.replaceAll(Event::withoutReceipts);
				}
				events.add(new Event(now, 0, List.of()));
			}
			else {
				AcquireResult result = bucket.acquire(limit, "p", step.cost(), now);
				List<BigInteger> without = debts(limit, events, now);
				boolean fits = fits(limit, without, step.cost());
				if (result instanceof AcquireResult.Admitted admitted) {
					assertThat(fits).as("would be admitted too").isTrue();
					events.add(new Event(now, step.cost(), admitted.receipts()));
				}
				else {
					assertThat(fits && exact).as("would be admitted").isFalse();
					if (exact) {
						assertWait(limit, events, (AcquireResult.Refused) result, step.cost(), now);
					}
					events.add(new Event(now, 0, List.of()));
				}
			}
			compare(limit, bucket, debts(limit, events, now), now, exact);
		}
	}

	private static long permits(List<Event> events) {
		return events.stream().mapToLong(Event::cost).sum();
	}

	/** The request is admitted after the reported wait, and not a microsecond earlier. */
	private static void assertWait(Limit limit, List<Event> events, AcquireResult.Refused result, long cost, long now) {
		long wait = result.usage().stream().mapToLong(Usage::retryMicros).max().orElseThrow();
		if (wait != Usage.NEVER) {
			assertThat(fits(limit, debts(limit, events, now + wait), cost)).isTrue();
			assertThat(fits(limit, debts(limit, events, now + wait - 1), cost)).isFalse();
		}
	}

	/** Returns whether nothing was taken at a later instant. */
	private static boolean release(Limit limit, FlowingBucket bucket, List<Event> events, int choice) {
		List<Event> candidates = events.stream().filter((event) -> event.cost() > 0 && event.taken()).toList();
		if (candidates.isEmpty()) {
			return true;
		}
		Event event = candidates.get(Math.max(0, candidates.size() - 1 - choice % 5));
		assertThat(bucket.release(limit, "p", event.cost(), event.receipts())).isTrue();
		events.set(events.indexOf(event), new Event(event.micros(), 0, event.receipts()));
		return events.stream().filter(Event::taken).allMatch((other) -> other.micros() <= event.micros());
	}

	private static void compare(Limit limit, FlowingBucket bucket, List<BigInteger> model, long now, boolean exact) {
		List<Usage> usages = ((AcquireResult.Refused) bucket.acquire(limit, "probe", Long.MAX_VALUE, now)).usage();
		for (int i = 0; i < limit.size(); i++) {
			BigInteger refill = BigInteger.valueOf(limit.count(i));
			long reset = model.get(i).add(refill).subtract(BigInteger.ONE).divide(refill).longValueExact();
			long remaining = limit.capacity(i) - ceilDiv(model.get(i), limit.windowMicros(i));
			if (exact) {
				assertThat(usages.get(i)).isEqualTo(new Usage(remaining, reset, Usage.NEVER));
			}
			else {
				assertThat(usages.get(i).remaining()).isLessThanOrEqualTo(remaining);
				assertThat(usages.get(i).resetMicros()).isGreaterThanOrEqualTo(reset);
			}
		}
	}

	private static long ceilDiv(BigInteger units, long permit) {
		return units.add(BigInteger.valueOf(permit - 1)).divide(BigInteger.valueOf(permit)).longValueExact();
	}

	private static boolean fits(Limit limit, List<BigInteger> debts, long cost) {
		for (int i = 0; i < limit.size(); i++) {
			if (cost > limit.capacity(i) - ceilDiv(debts.get(i), limit.windowMicros(i))) {
				return false;
			}
		}
		return true;
	}

	/** In units of which a permit is as many as the window has microseconds. */
	private static List<BigInteger> debts(Limit limit, List<Event> events, long now) {
		List<BigInteger> debts = new ArrayList<>();
		for (int i = 0; i < limit.size(); i++) {
			BigInteger debt = BigInteger.ZERO;
			long last = START;
			for (Event event : events) {
				debt = flowed(debt, limit.count(i), event.micros() - last)
					.add(BigInteger.valueOf(limit.windowMicros(i)).multiply(BigInteger.valueOf(event.cost())));
				last = event.micros();
			}
			debts.add(flowed(debt, limit.count(i), now - last));
		}
		return debts;
	}

	private static BigInteger flowed(BigInteger debt, long refill, long micros) {
		BigInteger flowed = BigInteger.valueOf(refill).multiply(BigInteger.valueOf(Math.max(0, micros)));
		return debt.subtract(flowed).max(BigInteger.ZERO);
	}

	/**
	 * Something that was admitted; refused or released, it costs nothing.
	 *
	 * @param micros when
	 * @param cost how much
	 * @param receipts what the bucket returned
	 */
	private record Event(long micros, long cost, List<Long> receipts) {

		boolean taken() {
			return !this.receipts.isEmpty();
		}

		Event withoutReceipts() {
			return new Event(this.micros, this.cost, List.of());
		}

	}

}
