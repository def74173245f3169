package dev.ratelimit.limiter.health;

import java.util.Arrays;
import java.util.List;

import dev.ratelimit.limiter.health.StoreListener.CallResult;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.StoreFailure;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The outcome of a call of the store that carries several requests.
 */
class CallResultTests {

	@ParameterizedTest
	@CsvSource({ "'', SUCCESS", "OVERLOADED, SUCCESS", "TIMEOUT, TIMEOUT", "UNREACHABLE, ERROR",
			"'UNREACHABLE TIMEOUT', TIMEOUT", "'TIMEOUT UNREACHABLE', TIMEOUT", "'OVERLOADED ERROR', ERROR" })
	void theWorstFailureOfTheStoreIsItsOutcome(String failures, CallResult outcome) {
		List<AcquireResult> results = Arrays.stream(failures.split(" ", -1))
			.<AcquireResult>map((failure) -> failure.isEmpty() ? new AcquireResult.Refused(List.of())
					: new AcquireResult.Failed(StoreFailure.valueOf(failure), Fate.NOT_TAKEN))
			.toList();
		assertThat(CallResult.of(results)).isEqualTo(outcome);
	}

}
