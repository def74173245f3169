package dev.ratelimit.proof;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Failovers under strict rules: a log, and a bucket.
 */
@Tag("proof-failovers")
class FailoversProof extends Failovers {

	@Override
	CrowdRules rules() {
		return CrowdRules.strict("sliding-window-log");
	}

	@Test
	void aKilledMasterOfAClusterWithBucketsDegradesOnlyItsOwnSubjects() {
		killAMasterOfACluster(CrowdRules.strict("token-bucket"));
	}

}
