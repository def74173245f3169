package dev.ratelimit.datacenters;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

import dev.ratelimit.datacenters.PoolModel.Option;
import dev.ratelimit.datacenters.PoolModel.Result;
import dev.ratelimit.datacenters.PooledWindow.Terms;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * All schedules of the protocol of one limit for several data centres, for small sizes:
 * what all admit together, and which rule prevents more. The number of states shows that
 * a search has not become smaller.
 */
class PoolSearchTests {

	private static final int SHARE_PERCENT = 10;

	private static final int OVERSHOOT_PERCENT = 20;

	@Test
	void twoDataCentresAdmitAtMostTheLimitAndOneOvershoot() {
		Terms terms = terms(2, 1, 3, 1);
		Result result = search("two", PoolModel.of(2, terms, 2));
		assertThat(result.admitted()).isEqualTo(bound(2, terms)).isEqualTo(6);
		assertThat(result.states()).isEqualTo(514);
	}

	@Test
	void threeDataCentresAdmitAtMostTheLimitAndTwoOvershoots() {
		Terms terms = terms(3, 1, 2, 1);
		Result result = search("three", PoolModel.of(3, terms, 1, Option.AS_NEEDED));
		assertThat(result.admitted()).isEqualTo(bound(3, terms)).isEqualTo(7);
		assertThat(result.states()).isEqualTo(45_531);
	}

	@Test
	void aCostIsSplitOverShareAndPool() {
		Terms terms = terms(2, 1, 4, 2);
		Result result = search("costs of 1, 2 and 3", PoolModel.of(2, terms, 2).costs(1, 2, 3));
		assertThat(result.admitted()).isEqualTo(bound(2, terms)).isEqualTo(8);
		assertThat(result.states()).isEqualTo(4_559);
	}

	@Test
	void aReleasedPermitIsAdmittedAgain() {
		Terms terms = terms(2, 1, 4, 1);
		Result result = search("releases", PoolModel.of(2, terms, 2, Option.RELEASES));
		assertThat(result.admitted()).isEqualTo(bound(2, terms)).isEqualTo(7);
		assertThat(result.states()).isEqualTo(5_727);
	}

	@Test
	void clocksThatReachTheNextWindowApartAdmitNoMoreInAnyWindow() {
		Terms terms = terms(2, 0, 2, 1);
		Result result = search("clocks apart", PoolModel.of(2, terms, 1).windows(2));
		assertThat(result.admitted()).isEqualTo(bound(2, terms)).isEqualTo(3);
		assertThat(result.states()).isEqualTo(32_736);
	}

	@Test
	void clocksApartWithReleasesAdmitNoMoreInAnyWindow() {
		Terms terms = terms(2, 0, 1, 1);
		Result result = search("clocks apart, releases",
				PoolModel.of(2, terms, 1, Option.AS_NEEDED, Option.RELEASES).windows(2));
		assertThat(result.admitted()).isEqualTo(bound(2, terms)).isEqualTo(2);
		assertThat(result.states()).isEqualTo(9_508);
	}

	/** A jump over a window, and messages from two windows away. */
	@Test
	void clocksTwoWindowsApartAdmitNoMoreInAnyWindow() {
		Terms terms = terms(2, 0, 1, 1);
		Result result = search("clocks two windows apart",
				PoolModel.of(2, terms, 1, Option.AS_NEEDED).windows(3).total(2));
		assertThat(result.admitted()).isEqualTo(bound(2, terms)).isEqualTo(2);
		assertThat(result.states()).isEqualTo(23_625);
	}

	/** A crash takes all messages of an instance, at any moment of an exchange. */
	@Test
	void aCrashDuringAnExchangeAdmitsNoMoreAndTheNextExchangeCompletesIt() {
		Terms terms = terms(2, 1, 3, 1);
		PoolModel model = PoolModel.of(2, terms, 2, Option.CRASHES);
		Result result = search("crashes", model);
		assertThat(result.admitted()).isEqualTo(bound(2, terms)).isEqualTo(6);
		assertThat(result.states()).isEqualTo(455);
		assertThat(result.reached().keySet()).noneMatch((state) -> model.needsExchange(model.exchanged(state)));
	}

	@Test
	void aCrashOfOneOfThreeAdmitsNoMoreAndTheNextExchangeCompletesIt() {
		Terms terms = terms(3, 0, 1, 1);
		PoolModel model = PoolModel.of(3, terms, 1, Option.AS_NEEDED, Option.CRASHES);
		Result result = search("crashes of three", model);
		assertThat(result.admitted()).isEqualTo(bound(3, terms)).isEqualTo(3);
		assertThat(result.states()).isEqualTo(8_360);
		assertThat(result.reached().keySet()).noneMatch((state) -> model.needsExchange(model.exchanged(state)));
	}

	@ParameterizedTest
	@CsvSource("2, 3, 99, 6, 1646")
	void withoutAcknowledgementsEachDataCentreAdmitsTheLimit(int centres, int limit, int total, int admitted,
			int states) {
		Terms ignoring = terms(centres, 0, limit, centres * limit);
		Result result = search("no acknowledgements, " + centres,
				PoolModel.of(centres, ignoring, 1, Option.AS_NEEDED).total(total));
		assertThat(result.admitted()).isEqualTo(centres * limit).isEqualTo(admitted);
		assertThat(result.states()).isEqualTo(states);
		assertThat(admitted).isGreaterThan((int) bound(centres, terms(centres, 0, limit, 1)));
	}

	/** The share, the permits not yet reported, and those before the first reply. */
	@Test
	void aLossAddsTheShareAndTwoOvershoots() {
		Terms terms = terms(2, 1, 2, 1);
		Result result = search("a loss", PoolModel.of(2, terms, 1, Option.LOSS));
		assertThat(result.admitted()).isEqualTo(bound(2, terms) + lost(terms)).isEqualTo(8);
		assertThat(result.states()).isEqualTo(10_303);
	}

	@Test
	void aLossWithClocksApartAddsNoMore() {
		Terms terms = terms(2, 0, 1, 1);
		Result result = search("a loss, clocks apart",
				PoolModel.of(2, terms, 1, Option.AS_NEEDED, Option.LOSS).windows(2));
		assertThat(result.admitted()).isBetween((int) bound(2, terms), (int) (bound(2, terms) + lost(terms)))
			.isEqualTo(3);
		assertThat(result.states()).isEqualTo(16_777);
	}

	@ParameterizedTest
	@CsvSource({ "2, 1, 3, 1, 2", "2, 1, 1, 3, 2", "3, 1, 4, 2, 3", "3, 0, 1, 1, 1" })
	void cutOffADataCentreAdmitsItsShareAndOneOvershootOrThePool(int centres, int share, int pool, int overshoot,
			int admitted) {
		Terms terms = terms(centres, share, pool, overshoot);
		Result result = PoolModel.of(centres, terms, 0).search();
		for (int i = 0; i < centres; i++) {
			int centre = i;
			assertThat(result.most((state) -> state.admitted(centre))).isEqualTo((int) terms.atOnce())
				.isEqualTo(admitted);
		}
	}

	@ParameterizedTest
	@CsvSource({ "2, 1, 3, 1, 4", "2, 0, 3, 2, 3", "3, 1, 3, 1, 4" })
	void aloneADataCentreAdmitsAllButTheSharesOfTheOthers(int centres, int share, int pool, int overshoot,
			int admitted) {
		Terms terms = terms(centres, share, pool, overshoot);
		Result result = PoolModel.of(centres, terms, 1, Option.AS_NEEDED, Option.ONE_BUSY).search();
		assertThat(result.admitted()).isEqualTo((int) terms.limit() - (centres - 1) * share).isEqualTo(admitted);
	}

	/** A limit whose overshoot is below one permit has no pool. */
	@ParameterizedTest
	@CsvSource({ "5, 3, 2, 2", "9, 3, 3, 3", "4, 2, 2, 2", "1, 2, 1, 0", "1, 3, 1, 0" })
	void aSmallLimitIsDividedAndExact(int limit, int centres, int first, int second) {
		List<Terms> terms = defaults(limit, centres);
		assertThat(terms).extracting(Terms::pool, Terms::overshoot).containsOnly(tuple(0L, 0L));
		assertThat(PoolModel.of(terms, 1, Option.AS_NEEDED).search().admitted()).isEqualTo(limit);
		assertThat(PoolModel.of(terms, 1, Option.AS_NEEDED, Option.ONE_BUSY).search().admitted()).isEqualTo(first);
		assertThat(terms.get(1).share()).isEqualTo(second);
	}

	/** The smallest limits with a pool, which is all of them: a share is below one. */
	@ParameterizedTest
	@CsvSource({ "5, 2", "10, 3" })
	void aloneTheSmallestLimitWithAPoolIsAdmittedInFull(int limit, int centres) {
		List<Terms> terms = defaults(limit, centres);
		assertThat(terms).containsOnly(new Terms(limit, 0, limit, 1));
		assertThat(PoolModel.of(terms, 1, Option.AS_NEEDED, Option.ONE_BUSY).search().admitted()).isEqualTo(limit);
	}

	@Test
	void allTermsKeepToTheLimitAndItsOvershoot() {
		for (int centres = 2; centres <= 5; centres++) {
			for (int limit = 1; limit <= 1000; limit++) {
				List<Terms> terms = defaults(limit, centres);
				assertThat(terms.stream().mapToLong(Terms::share).sum() + terms.get(0).pool()).isEqualTo(limit);
				assertThat(100 * bound(centres, terms.get(0))).isLessThanOrEqualTo((100L + OVERSHOOT_PERCENT) * limit);
			}
		}
	}

	static Terms terms(int centres, int share, int pool, int overshoot) {
		return new Terms(centres * share + pool, share, pool, overshoot);
	}

	static List<Terms> defaults(int limit, int centres) {
		return IntStream.range(0, centres)
			.mapToObj((place) -> Terms.of(limit, centres, place, SHARE_PERCENT, OVERSHOOT_PERCENT))
			.toList();
	}

	static long bound(int centres, Terms terms) {
		return terms.limit() + (centres - 1) * terms.overshoot();
	}

	/** What a loss of data adds. */
	static long lost(Terms terms) {
		return terms.share() + 2 * terms.overshoot();
	}

	static Result search(String what, PoolModel model) {
		Result result = model.search();
		System.out.printf(Locale.ROOT, "A limit for data centres, %s: %,d states, at most %d admitted%n", what,
				result.states(), result.admitted());
		return result;
	}

}
