package dev.ratelimit.proof;

import org.junit.jupiter.api.Tag;

/**
 * The same failovers under leased and synced rules, on the same two instances at the same
 * time.
 */
@Tag("proof-failovers-modes")
class FailoverModesProof extends Failovers {

	@Override
	CrowdRules rules() {
		return CrowdRules.leasedAndSynced();
	}

}
