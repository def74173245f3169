package dev.ratelimit.actuate.descriptor;

import java.util.List;

import dev.ratelimit.limiter.insight.Evidence;

/**
 * Evidence from this instance for whether the thresholds of a rule fit.
 *
 * @param requests the number of requests that the thresholds decided
 * @param refusedShare the share of these that they refused, 0 to 1
 * @param clients the number of clients
 * @param clientsNearLimit the number of clients that used 80 percent of a threshold or
 * more
 * @param clientsSampled the number of clients in the sample; equal to {@code clients} if
 * nothing is estimated
 * @param trials the results of other thresholds; none if outcomes count
 */
public record EvidenceDescriptor(long requests, double refusedShare, long clients, long clientsNearLimit,
		int clientsSampled, List<TrialDescriptor> trials) {

	/**
	 * Describe evidence.
	 * @param evidence the evidence
	 * @return the descriptor, with shares rounded to four digits
	 */
	public static EvidenceDescriptor of(Evidence evidence) {
		double share = (double) evidence.refused() / Math.max(1, evidence.requests());
		return new EvidenceDescriptor(evidence.requests(), rounded(share), evidence.clients(), evidence.nearLimit(),
				evidence.sampledClients(),
				evidence.trials()
					.stream()
					.map((trial) -> new TrialDescriptor(trial.factor(), rounded(trial.refusedShare()),
							trial.refusedClients()))
					.toList());
	}

	private static double rounded(double share) {
		return Math.round(share * 10_000) / 10_000.0;
	}

	/**
	 * The result that thresholds of another size would have had.
	 *
	 * @param factor the size as a multiple of the current thresholds
	 * @param refusedShare the share of the requests that they would have refused, 0 to 1
	 * @param refusedClients the number of clients that they would have refused at least
	 * once
	 */
	public record TrialDescriptor(double factor, double refusedShare, long refusedClients) {
	}

}
