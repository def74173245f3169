package dev.ratelimit.rule.live;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.Refill;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.rule.RuleSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Rules that are read come into force, or the last good rules of their place remain in
 * force.
 */
class RuleRefreshTests {

	private final Place table = new Place("a", "1/s");

	private final Place file = new Place("b", "1/s");

	private final RuleLayers layers = new RuleLayers(List.of(new RuleLayer(RuleOrigin.JDBC, "table t", this.table),
			new RuleLayer(RuleOrigin.FILE, "file f", this.file),
			new RuleLayer(RuleOrigin.ENVIRONMENT, "configuration", new Place("b", "9/s", "c", "9/s"))));

	private final List<RuleSet> forced = new ArrayList<>();

	private final List<String> notified = new CopyOnWriteArrayList<>();

	private final List<Object> events = new ArrayList<>();

	private final RuleRefresh refresh = new RuleRefresh(this.layers, this::force,
			() -> List.of(new Failing(), new Recording()), this.events::add);

	@BeforeEach
	void load() {
		this.layers.load();
	}

	private void force(RuleSet rules) {
		if (rules.find("bad").isPresent()) {
			throw new IllegalArgumentException("bad cannot be enforced");
		}
		this.forced.add(rules);
	}

	private static RuleSet rules(String... idsAndThresholds) {
		return new RuleSet(Stream.iterate(0, (i) -> i < idsAndThresholds.length, (i) -> i + 2)
			.map((i) -> RLConfig.builder(idsAndThresholds[i]).thresholds(idsAndThresholds[i + 1]).build())
			.toList());
	}

	@Test
	void aRuleIsTakenFromTheFirstPlaceThatHasIt() {
		assertThat(this.layers.rules()).isEqualTo(rules("a", "1/s", "b", "1/s", "c", "9/s"));
	}

	@Test
	void unchangedRulesAreNotBroughtIntoForceAgain() {
		this.refresh.refresh();
		assertThat(this.forced).isEmpty();
		assertThat(this.notified).isEmpty();
	}

	@Test
	void aChangeComesIntoForceAndIsReported() {
		this.file.rules = rules("d", "1/s");
		this.refresh.refresh();
		assertThat(this.forced).containsExactly(rules("a", "1/s", "b", "9/s", "c", "9/s", "d", "1/s"));
		assertThat(this.notified).containsExactly("changed FILE");
		assertThat(this.events).singleElement()
			.hasToString("RateLimitRulesChangedEvent[added=[d], changed=[b], removed=[]]");
	}

	@Test
	void aRuleMayMoveFromOnePlaceToAnotherWithoutAGap() {
		this.file.rules = rules("a", "1/s", "b", "1/s");
		this.table.rules = rules();
		this.refresh.refresh();
		assertThat(this.forced).singleElement().isEqualTo(rules("a", "1/s", "b", "1/s", "c", "9/s"));
		assertThat(this.notified).containsExactly("changed JDBC", "changed FILE");
	}

	@Test
	void theLastGoodRulesOfAPlaceThatCannotBeReadRemainAndOtherPlacesAreRead() {
		this.table.failure = new IllegalStateException("no connection");
		this.file.rules = rules("b", "2/s");
		this.refresh.refresh();
		assertThat(this.forced).containsExactly(rules("a", "1/s", "b", "2/s", "c", "9/s"));
		assertThat(this.notified).containsExactly("refused JDBC", "changed FILE");
		assertThat(this.layers.layers().get(0).failure()).contains("no connection");
	}

	@Test
	void aFailureIsReportedOnceButCountedAtEachLook() {
		this.table.failure = new IllegalStateException("no connection");
		this.refresh.refresh();
		this.refresh.refresh();
		this.table.failure = new StackOverflowError();
		this.refresh.refresh();
		assertThat(this.notified).containsExactly("refused JDBC", "refused JDBC", "refused JDBC");
		assertThat(this.events).extracting(Object::toString)
			.containsExactly("RateLimitRulesRefusedEvent[origin=JDBC, description=table t, reason=no connection]",
					"RateLimitRulesRefusedEvent[origin=JDBC, description=table t, reason=java.lang.StackOverflowError]");
	}

	@Test
	void aFailureAfterARecoveryIsReportedAgain() {
		this.table.failure = new IllegalStateException("no connection");
		this.refresh.refresh();
		this.table.failure = null;
		this.refresh.refresh();
		assertThat(this.layers.layers().get(0).failure()).isEmpty();
		this.table.failure = new IllegalStateException("no connection");
		this.refresh.refresh();
		assertThat(this.events).hasSize(2);
	}

	@Test
	void rulesThatCannotBeEnforcedDoNotAffectThoseOfOtherPlaces() {
		this.table.rules = rules("bad", "1/s");
		this.file.rules = rules("b", "2/s");
		this.refresh.refresh();
		assertThat(this.forced).containsExactly(rules("a", "1/s", "b", "2/s", "c", "9/s"));
		assertThat(this.notified).containsExactly("refused JDBC", "changed FILE");
		assertThat(this.layers.layers().get(0).failure()).contains("bad cannot be enforced");
		assertThat(this.layers.layers().get(0).rules()).isEqualTo(rules("a", "1/s"));
	}

	@Test
	void aSourceThatReturnsNullIsNamed() {
		this.table.rules = null;
		this.refresh.refresh();
		assertThat(this.layers.layers().get(0).failure()).contains("table t answered null");
	}

	@Test
	void aFailureAtTheStartIsThrown() {
		this.table.failure = new IllegalStateException("no connection");
		assertThatIllegalStateException().isThrownBy(this.layers::load).withMessage("no connection");
	}

	@Test
	void theLogNamesTheRulesThatStartAnew() {
		RuleSet before = new RuleSet(List.of(RLConfig.builder("algorithm").thresholds("1/s").build(),
				RLConfig.builder("key").thresholds("1/s").build(),
				RLConfig.builder("window").algorithm(Algorithm.FIXED_WINDOW).thresholds("1/s", "9/1m").build(),
				RLConfig.builder("log").thresholds("1/s").build(),
				RLConfig.builder("threshold").algorithm(Algorithm.FIXED_WINDOW).thresholds("1/s").build(),
				RLConfig.builder("refill").algorithm(Algorithm.TOKEN_BUCKET).thresholds("1/s").build(),
				RLConfig.builder("gone").thresholds("1/s").build()));
		RuleSet after = new RuleSet(
				List.of(RLConfig.builder("algorithm").algorithm(Algorithm.TOKEN_BUCKET).thresholds("1/s").build(),
						RLConfig.builder("key").key("header:X").thresholds("1/s").build(),
						RLConfig.builder("window").algorithm(Algorithm.FIXED_WINDOW).thresholds("1/s", "9/2m").build(),
						RLConfig.builder("log").thresholds("1/m").build(),
						RLConfig.builder("threshold").algorithm(Algorithm.FIXED_WINDOW).thresholds("2/s").build(),
						RLConfig.builder("refill")
							.algorithm(Algorithm.TOKEN_BUCKET)
							.refill(Refill.INTERVAL)
							.thresholds("1/s")
							.build(),
						RLConfig.builder("new").thresholds("1/s").build()));
		assertThat(new RuleChanges(before, after)).hasToString(
				"new [new], changed [algorithm, key, log, refill, threshold, window], removed [gone]; rule 'algorithm' "
						+ "starts anew, as it counts by token-bucket; rule 'key' starts anew, as it counts others; "
						+ "rule 'refill' starts anew, as its refill is another; rule 'window' starts anew in 2m");
	}

	@Test
	@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void whoIncludesRulesDoesNotWaitForASourceThatHangs() throws Exception {
		CountDownLatch reads = new CountDownLatch(1);
		CountDownLatch ends = new CountDownLatch(1);
		RuleLayers hanging = new RuleLayers(List.of(new RuleLayer(RuleOrigin.JDBC, "table t", () -> {
			reads.countDown();
			awaitUninterruptibly(ends);
			return rules("a", "1/s");
		})));
		RuleRefresh refresh = new RuleRefresh(hanging, this::force, List::of, this.events::add);
		Thread looks = new Thread(refresh::refresh);
		looks.start();
		reads.await();
		refresh.include(() -> true, () -> {
		});
		assertThat(this.forced).containsExactly(rules());
		ends.countDown();
		looks.join();
		assertThat(this.forced).containsExactly(rules(), rules("a", "1/s"));
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void aFailureThatDiffersOnlyInTheFiguresOfAPoolIsReportedOnce() {
		this.table.failure = new IllegalStateException(
				"request timed out after 30004ms (total=10, active=10, idle=0, waiting=3)");
		this.refresh.refresh();
		this.table.failure = new IllegalStateException(
				"request timed out after 30007ms (total=10, active=9, idle=1, waiting=17)");
		this.refresh.refresh();
		assertThat(this.events).hasSize(1);
		this.table.failure = new IllegalStateException("request was refused");
		this.refresh.refresh();
		assertThat(this.events).hasSize(2);
	}

	@Test
	@Timeout(60)
	void whatHasChangedBeforeTheThreadStartsIsReadAtOnce() {
		this.file.rules = rules("d", "1/s");
		RefreshThread thread = RefreshThread.start(this.refresh, Optional.empty(), Duration.ofHours(1));
		Awaitility.await().until(() -> this.notified.contains("changed FILE"));
		thread.close();
	}

	/** A place whose rules a test changes. */
	private static final class Place implements RuleSource {

		private RuleSet rules;

		private Throwable failure;

		private Runnable beforeLoad = () -> {
		};

		Place(String... rules) {
			this.rules = rules(rules);
		}

		@Override
		public RuleSet load() {
			this.beforeLoad.run();
			if (this.failure instanceof Error error) {
				throw error;
			}
			if (this.failure instanceof RuntimeException exception) {
				throw exception;
			}
			return this.rules;
		}

	}

	private final class Recording implements RulesListener {

		@Override
		public void changed(RuleOrigin origin) {
			RuleRefreshTests.this.notified.add("changed " + origin);
		}

		@Override
		public void refused(RuleOrigin origin) {
			RuleRefreshTests.this.notified.add("refused " + origin);
		}

	}

	private static final class Failing implements RulesListener {

		@Override
		public void changed(RuleOrigin origin) {
			throw new IllegalStateException("A listener fails");
		}

		@Override
		public void refused(RuleOrigin origin) {
			throw new IllegalStateException("A listener fails");
		}

	}

}
