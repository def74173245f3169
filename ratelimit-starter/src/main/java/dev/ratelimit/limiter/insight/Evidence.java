package dev.ratelimit.limiter.insight;

import java.util.List;

/**
 * Evidence for or against other thresholds.
 *
 * @param requests how many requests the thresholds decided
 * @param refused how many of them they refused
 * @param sampledClients how many clients are in the sample
 * @param everyClient whether the sample contains all clients, so that nothing is
 * estimated
 * @param clients how many clients there were
 * @param nearLimit how many of them used 80 percent or more of a threshold
 * @param trials the results of scaled thresholds; empty for a rule that counts only some
 * outcomes, because the outcomes of refused requests are unknown
 */
public record Evidence(long requests, long refused, int sampledClients, boolean everyClient, long clients,
		long nearLimit, List<Trial> trials) {

	public Evidence {
		trials = List.copyOf(trials);
	}

	/**
	 * A trial of scaled thresholds.
	 *
	 * @param factor by which factor the thresholds are scaled
	 * @param refusedShare the part of the requests that they would have refused, 0 to 1
	 * @param refusedClients how many clients they would have refused at least once
	 */
	public record Trial(double factor, double refusedShare, long refusedClients) {
	}

}
