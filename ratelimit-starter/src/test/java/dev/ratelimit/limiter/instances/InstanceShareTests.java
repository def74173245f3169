package dev.ratelimit.limiter.instances;

import java.util.OptionalInt;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class InstanceShareTests {

	@ParameterizedTest
	@CsvSource({ "100, 3, 34 33 33", "100, 1, 100", "2, 3, 1 1 0", "7, 7, 1 1 1 1 1 1 1", "1, 2, 1 0",
			"999999999999999, 2, 500000000000000 499999999999999" })
	void theRemainderGoesToTheFirstInstances(long total, int instances, String shares) {
		assertThat(IntStream.range(0, instances).mapToObj((rank) -> InstanceShare.of(instances, rank).of(total)))
			.map(Object::toString)
			.containsExactly(shares.split(" "));
	}

	@Test
	void sharesAddUpExactly() {
		for (int instances = 1; instances <= 50; instances++) {
			int all = instances;
			for (long total = 1; total <= 200; total++) {
				long limit = total;
				assertThat(IntStream.range(0, all).mapToLong((rank) -> InstanceShare.of(all, rank).of(limit)).sum())
					.isEqualTo(limit);
			}
		}
	}

	@Test
	void anInstanceOfUnknownRankGetsNothingOfTheRemainder() {
		assertThat(InstanceShare.unranked(3).of(100)).isEqualTo(33);
		assertThat(InstanceShare.unranked(3).of(2)).isZero();
		assertThat(InstanceShare.unranked(1)).isEqualTo(InstanceShare.WHOLE);
	}

	@Test
	void thereIsNoRankBeyondTheInstances() {
		assertThatIllegalArgumentException().isThrownBy(() -> InstanceShare.of(2, 2));
		assertThatIllegalArgumentException().isThrownBy(() -> InstanceShare.of(2, -1));
		assertThatIllegalArgumentException().isThrownBy(() -> new InstanceShare(0, OptionalInt.empty()));
	}

}
