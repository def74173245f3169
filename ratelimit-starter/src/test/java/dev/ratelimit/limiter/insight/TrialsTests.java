package dev.ratelimit.limiter.insight;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Allowed;
import dev.ratelimit.RateLimitDecision.Quota;
import dev.ratelimit.RateLimitDecision.Rejected;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.Subject;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class TrialsTests {

	private static final Duration WINDOW = Duration.ofSeconds(1);

	private final MovableClock clock = new MovableClock();

	private final Limit limit = Limits.of(Algorithm.FIXED_WINDOW, "r", "10/1s");

	private final Trials trials = trials(true);

	private Trials trials(boolean tries) {
		return new Trials(tries, () -> 1, this.clock::nanoTime);
	}

	private static long hash(String client) {
		return new SplittableRandom(client.hashCode()).nextLong();
	}

	/** The n-th request of a client in this window. */
	private void acquire(Trials trials, String client, int n, boolean heavy) {
		trials.add(new Subject(client), hash(client), heavy, this.limit, 1, decision(n));
	}

	private static RateLimitDecision decision(int n) {
		List<Quota> quotas = List
			.of(new Quota("r", 10, WINDOW, Math.max(0, 10 - n), WINDOW, Optional.of(Duration.ZERO)));
		return (n <= 10) ? new Allowed("r", Source.STORE, quotas) : new Rejected("r", Source.STORE, quotas);
	}

	private void acquireInOneWindow(Trials trials, String client, int requests) {
		for (int i = 1; i <= requests; i++) {
			acquire(trials, client, i, false);
		}
	}

	@Test
	void computesOtherThresholdsExactlyForFewClients() {
		acquireInOneWindow(this.trials, "light", 2);
		acquireInOneWindow(this.trials, "medium", 7);
		acquireInOneWindow(this.trials, "near", 8);
		acquireInOneWindow(this.trials, "heavy", 25);
		assertThat(this.trials.evidence())
			.isEqualTo(new Evidence(42, 15, 4, true, 4, 2, List.of(new Evidence.Trial(0.5, (2 + 3 + 20) / 42.0, 3),
					new Evidence.Trial(1, 15 / 42.0, 1), new Evidence.Trial(2, 5 / 42.0, 1))));
	}

	@Test
	void evidenceIsEmptyBeforeTheFirstRequest() {
		Evidence evidence = this.trials.evidence();
		assertThat(evidence.clients()).isZero();
		assertThat(evidence.trials()).extracting(Evidence.Trial::refusedShare).containsOnly(0.0);
	}

	@Test
	void noThresholdAdmitsMoreThanALogTakesAtOnce() {
		Limit log = Limits.of("log", "1000000/1s");
		for (long cost : new long[] { 100, 101 }) {
			this.trials.add(new Subject("s"), hash("s"), true, log, cost, decision((cost > 100) ? 11 : 1));
		}
		assertThat(this.trials.evidence().trials()).extracting(Evidence.Trial::refusedShare).containsOnly(0.5);
	}

	@Test
	void aRuleThatCountsByOutcomeIsCountedButNotTried() {
		Trials counting = trials(false);
		acquireInOneWindow(counting, "near", 9);
		assertThat(counting.evidence()).isEqualTo(new Evidence(9, 0, 1, true, 1, 1, List.of()));
	}

	@Test
	void ofManyClientsASampleStandsForAll() {
		// Of four clients one stays far below, one comes near, one is refused, one is not
		// refused by twice the threshold only.
		for (int i = 0; i < 20_000; i++) {
			acquireInOneWindow(this.trials, "client" + i, new int[] { 3, 8, 15, 25 }[i % 4]);
		}
		Evidence evidence = this.trials.evidence();
		assertThat(evidence.sampledClients()).isBetween(ClientSample.CAPACITY / 3, ClientSample.CAPACITY);
		assertThat(evidence.everyClient()).isFalse();
		// Three standard deviations.
		assertThat((double) evidence.clients()).isCloseTo(20_000, within(20_000 * 3 * 0.08));
		assertThat((double) evidence.nearLimit() / evidence.clients()).isCloseTo(0.75, within(0.15));
		assertThat(evidence.requests()).isEqualTo(20_000 / 4 * (3 + 8 + 15 + 25));
		assertThat(evidence.refused()).isEqualTo(20_000 / 4 * (5 + 15));
		assertThat(evidence.trials()).extracting(Evidence.Trial::refusedShare)
			.satisfiesExactly((half) -> assertThat(half).isCloseTo((3 + 10 + 20) / 51.0, within(0.1)),
					(once) -> assertThat(once).isCloseTo(20 / 51.0, within(0.1)),
					(twice) -> assertThat(twice).isCloseTo(5 / 51.0, within(0.1)));
	}

	@Test
	void chanceDoesNotDecideWhetherTheHeaviestClientCounts() {
		for (int i = 0; i < 10_000; i++) {
			acquireInOneWindow(this.trials, "client" + i, 2);
			// Half of all requests are those of one client.
			acquire(this.trials, "heavy", i < 10 ? i + 1 : 11, true);
			acquire(this.trials, "heavy", 11, true);
		}
		double refused = (20_000 - 10) / 40_000.0;
		Evidence evidence = this.trials.evidence();
		assertThat((double) evidence.refused() / evidence.requests()).isCloseTo(refused, within(0.001));
		assertThat(evidence.trials().get(1).refusedShare()).isCloseTo(refused, within(0.1));
	}

	@Test
	void theSampleIsBoundedHoweverManyClientsCome() {
		for (int i = 0; i < 300_000; i++) {
			acquire(this.trials, "c" + i, 1, i % 1000 == 0);
		}
		assertThat(this.trials.evidence().sampledClients()).isLessThanOrEqualTo(ClientSample.CAPACITY);
		assertThat(this.trials.evidence().clients()).isBetween(200_000L, 400_000L);
	}

	@Test
	void aClientThatGetsAnotherPlanIsTriedWithThat() {
		Limit more = Limits.of(Algorithm.FIXED_WINDOW, "r", "100/1s", "1000/1m");
		acquireInOneWindow(this.trials, "client", 10);
		for (int i = 0; i < 50; i++) {
			this.trials.add(new Subject("client"), hash("client"), false, more, 1, decision(1));
		}
		assertThat(this.trials.evidence().trials()).extracting((trial) -> Math.round(trial.refusedShare() * 60))
			.containsExactly(5L, 0L, 0L);
	}

}
