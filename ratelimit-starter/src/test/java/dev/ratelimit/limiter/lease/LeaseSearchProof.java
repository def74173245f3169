package dev.ratelimit.limiter.lease;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * All schedules of the protocol of leases for the first limit with grants of two permits.
 */
@Tag("proof-interleavings")
class LeaseSearchProof {

	private static final int LIMIT = 4;

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void withoutAFailoverNothingIsAdmittedAboveTheLimit(boolean named) {
		LeaseSearchTests.assertNoneAboveTheLimit(named, LIMIT);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aFailoverAdmitsNoMoreThanThePromotedReplicaHadNotReceived(boolean named) {
		LeaseSearchTests.assertNoneAboveWhatWasLost(named, LIMIT);
	}

}
