package dev.ratelimit;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.ratelimit.RateLimitDecision.Allowed;
import dev.ratelimit.RateLimitDecision.Quota;
import dev.ratelimit.RateLimitDecision.Rejected;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.RateLimitDecision.Unavailable;
import dev.ratelimit.fixture.CountedQuotas;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RateLimitDecisionTests {

	private static final Quota FULL = quota(Optional.of(Duration.ofSeconds(3)));

	@Test
	void aDecisionIsOneOfThreeRecords() {
		assertThat(RateLimitDecision.class.isSealed()).isTrue();
		assertThat(RateLimitDecision.class.getPermittedSubclasses()).containsExactlyInAnyOrder(Allowed.class,
				Rejected.class, Unavailable.class);
		assertThat(RateLimitDecision.class.getPermittedSubclasses()).allMatch(Class::isRecord);
	}

	@Test
	void onlyOneDecisionAdmitsTheRequest() {
		Stream<RateLimitDecision> decisions = Stream.of(new Allowed("r", Source.STORE, List.of()),
				new Rejected("r", Source.STORE, List.of(FULL)), new Unavailable("r", Duration.ofSeconds(1)));
		assertThat(decisions).extracting(RateLimitDecision::isAllowed).containsExactly(true, false, false);
	}

	@Test
	void theWaitIsTheLongestOfTheQuotas() {
		Quota longer = quota(Optional.of(Duration.ofSeconds(5)));
		assertThat(new Rejected("r", Source.STORE, List.of(FULL, longer, FULL)).retryAfter())
			.contains(Duration.ofSeconds(5));
	}

	@Test
	void thereIsNoWaitWhereWaitingCannotHelp() {
		assertThat(new Rejected("r", Source.STORE, List.of(FULL, quota(Optional.empty()))).retryAfter()).isEmpty();
		assertThat(new Rejected("r", Source.NONE, List.of()).retryAfter()).as("blocked").isEmpty();
	}

	@Test
	void whatIsAdmittedNeedNotWait() {
		assertThat(new Allowed("r", Source.NONE, List.of()).retryAfter()).contains(Duration.ZERO);
		assertThat(new Unavailable("r", Duration.ofSeconds(7)).retryAfter()).contains(Duration.ofSeconds(7));
	}

	@Test
	void anUnavailableDecisionHasNoSourceAndNoQuotas() {
		Unavailable unavailable = new Unavailable("r", Duration.ofSeconds(1));
		assertThat(unavailable.source()).isEqualTo(Source.NONE);
		assertThat(unavailable.quotas()).isEmpty();
	}

	private static Quota quota(Optional<Duration> retryAfter) {
		return new Quota("r", 5, Duration.ofMinutes(1), 0, Duration.ofMinutes(1), retryAfter);
	}

	@Test
	void windowsAreComputedOnceAndOnlyWhenTheyAreRead() {
		CountedQuotas quotas = new CountedQuotas(FULL);
		Allowed allowed = new Allowed("r", Source.MEMORY, quotas);
		assertThat(allowed.quotas()).hasSize(2);
		assertThat(allowed.usedShare()).isEqualTo(0.5);
		assertThat(quotas.computed()).isZero();
		assertThat(allowed).isEqualTo(new Allowed("r", Source.MEMORY, List.of(FULL, FULL)));
		assertThat(allowed.quotas().get(1)).isSameAs(allowed.quotas().get(1));
		assertThat(quotas.computed()).isEqualTo(2);
		assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> allowed.quotas().get(2));
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> allowed.quotas().add(FULL));
	}

	@Test
	void theWindowThatIsUsedMostIsReported() {
		Quota half = new Quota("r", 6, Duration.ofMinutes(1), 3, Duration.ofMinutes(1), Optional.of(Duration.ZERO));
		assertThat(new Allowed("r", Source.STORE, List.of(half)).usedShare()).isEqualTo(0.5);
		assertThat(new Rejected("r", Source.STORE, List.of(half, FULL, half)).usedShare()).isOne();
		assertThat(new Allowed("r", Source.NONE, List.of()).usedShare()).isZero();
	}

}
