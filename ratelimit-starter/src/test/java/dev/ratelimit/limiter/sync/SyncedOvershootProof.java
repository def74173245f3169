package dev.ratelimit.limiter.sync;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.memory.MemoryStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One tenant sends far too many requests: 5000 a second to each instance, for one window
 * of 1000 in ten seconds. What do all instances admit together, compared with the
 * published design of the two-layer cache?
 */
@Tag("proof-modes")
class SyncedOvershootProof {

	private static final int LIMIT = 1000;

	private static final int REQUESTS_PER_MILLI = 5;

	private static final Subject SUBJECT = new Subject("s");

	private final MovableClock clock = new MovableClock();

	@ParameterizedTest
	@ValueSource(ints = { 1, 3, 10 })
	void staysWithinTheFormulaWhereThePublishedDesignAdmitsTheLimitPerInstance(int instances) {
		long ours = ours(instances);
		this.clock.moveTo("2026-11-20T09:30:20Z");
		long published = published(instances);
		long most = LIMIT + instances * (LIMIT * 20L / 100 / (instances + 1));
		System.out.printf(Locale.ROOT,
				"synced: %d instances admit %.1f %% of a limit, at most %.1f %%; the published design %.1f %%%n",
				instances, percent(ours), percent(most), percent(published));
		assertThat(ours).isBetween((long) LIMIT, most);
		assertThat(published).isGreaterThan(9L * instances * LIMIT / 10);
	}

	private static double percent(long admitted) {
		return 100.0 * admitted / LIMIT;
	}

	private long ours(int number) {
		Limit limit = Limit.of(RLConfig.builder("r")
			.algorithm(Algorithm.FIXED_WINDOW)
			.mode(Mode.SYNCED)
			.thresholds(LIMIT + "/10s")
			.build());
		CountingStore store = new CountingStore(new MemoryStore(this.clock));
		List<SyncedInstance> instances = new ArrayList<>();
		for (int i = 0; i < number; i++) {
			instances.add(new SyncedInstance(store, this.clock, SyncedInstance.oneOf(number)));
		}
		long admitted = 0;
		for (int millis = 0; millis < 9000; millis++) {
			for (SyncedInstance instance : instances) {
				admitted += instance.admitted(limit, SUBJECT, REQUESTS_PER_MILLI);
			}
			this.clock.advance(Duration.ofMillis(1));
			instances.forEach(SyncedInstance::hurry);
			if (millis % 1000 == 999) {
				instances.forEach(SyncedInstance::round);
			}
		}
		return admitted;
	}

	private long published(int number) {
		long[] stored = new long[1];
		List<Published> instances = new ArrayList<>();
		for (int i = 0; i < number; i++) {
			instances.add(new Published());
		}
		long admitted = 0;
		for (int millis = 0; millis < 9000; millis++) {
			for (Published instance : instances) {
				for (int i = 0; i < REQUESTS_PER_MILLI; i++) {
					admitted += (instance.count(stored, millis) <= LIMIT) ? 1 : 0;
				}
			}
		}
		return admitted;
	}

	/** What the article publishes: each call is counted, and synced once a second. */
	private static final class Published {

		private long sinceLastSync;

		private long total;

		private long lastSyncMillis = Long.MIN_VALUE / 2;

		long count(long[] stored, long nowMillis) {
			this.sinceLastSync++;
			this.total++;
			if (nowMillis - this.lastSyncMillis > 1000) {
				stored[0] += this.sinceLastSync;
				this.total = stored[0];
				this.lastSyncMillis = nowMillis;
				this.sinceLastSync = 0;
			}
			return this.total;
		}

	}

}
