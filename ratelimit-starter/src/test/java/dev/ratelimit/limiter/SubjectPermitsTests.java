package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.RecordingListener;
import dev.ratelimit.limiter.refusal.NamedRules;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.spi.RulePermits.Acquired;
import dev.ratelimit.spi.RulePermits.Granted;
import dev.ratelimit.spi.RulePermits.Never;
import dev.ratelimit.spi.RulePermits.NotYet;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.memory.MemoryStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The permits of requests that are handled later come from the bucket of all others.
 */
class SubjectPermitsTests {

	private final MovableClock clock = new MovableClock();

	private final RecordingListener listener = new RecordingListener();

	private final CompiledRules rules = new CompiledRules(
			new RuleSet(List.of(RLConfig.builder("orders").thresholds("2/1m").build())), 64, NamedRules.NONE);

	private final SubjectPermits permits = new SubjectPermits(() -> this.rules,
			TestLimiter.over(new MemoryStore(this.clock), this.clock).listener(this.listener).build(),
			new SubjectEncoder(64, ""));

	private Acquired acquire(String rule, long cost) {
		return this.permits.acquire(rule, new Subject("s"), Optional.empty(), cost);
	}

	@Test
	void permitsThatAreReleasedAreThereForTheNextRequest() {
		Acquired first = acquire("orders", 2);
		assertThat(acquire("orders", 1)).isEqualTo(new NotYet(Duration.ofMinutes(1)));
		((Granted) first).release().run();
		assertThat(acquire("orders", 2)).isInstanceOf(Granted.class);
	}

	@Test
	void aRequestThatCanNeverHaveItsPermitsTriesNoAcquire() {
		assertThat(acquire("orders", 3)).isEqualTo(new Never("cost above the limit"));
		assertThat(acquire("orders", 2)).isInstanceOf(Granted.class);
	}

	@Test
	void aRuleThatIsMissingMayComeSoon() {
		assertThat(acquire("other", 1)).isEqualTo(new NotYet(Duration.ofSeconds(1)));
	}

	@Test
	void noDecisionIsReported() {
		acquire("orders", 2);
		acquire("orders", 1);
		assertThat(this.listener.events()).isEmpty();
	}

}
