package dev.ratelimit.actuate.descriptor;

import java.util.List;

import dev.ratelimit.limiter.insight.Evidence;

/**
 * Whether the thresholds of a rule are right, as far as this instance has seen.
 *
 * @param requests how many requests they were asked about
 * @param refusedShare which part of these they refused, 0 to 1
 * @param clients how many clients there were
 * @param clientsNearLimit how many of them used 80 percent of a threshold or more
 * @param clientsSampled how many clients are in the sample; as many as {@code clients}
 * where nothing is estimated
 * @param trials what other thresholds would have done; none where outcomes count
 */
public record EvidenceDescriptor(long requests, double refusedShare, long clients, long clientsNearLimit,
		int clientsSampled, List<TrialDescriptor> trials) {

	/**
	 * Describe evidence.
	 * @param evidence the evidence
	 * @return the same, shares to four digits
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
	 * What thresholds of another size would have done.
	 *
	 * @param factor how many times as large they are
	 * @param refusedShare which part of the requests they would have refused, 0 to 1
	 * @param refusedClients how many clients they would have refused at least once
	 */
	public record TrialDescriptor(double factor, double refusedShare, long refusedClients) {
	}

}
