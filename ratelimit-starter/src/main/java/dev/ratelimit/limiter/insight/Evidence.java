package dev.ratelimit.limiter.insight;

import java.util.List;

/**
 * What speaks for other thresholds, or against them.
 *
 * @param requests how many requests the thresholds were asked about
 * @param refused how many of them they refused
 * @param sampledClients how many clients are in the sample
 * @param everyClient whether these are all: then nothing is estimated
 * @param clients how many clients there were
 * @param nearLimit how many of them used 80 percent or more of a threshold
 * @param trials what thresholds so many times as large would have done; none for a rule
 * that counts some outcomes only, as these are not known of requests that it refused
 */
public record Evidence(long requests, long refused, int sampledClients, boolean everyClient, long clients,
		long nearLimit, List<Trial> trials) {

	public Evidence {
		trials = List.copyOf(trials);
	}

	/**
	 * A trial of other thresholds.
	 *
	 * @param factor how many times as large they are
	 * @param refusedShare which part of the requests they would have refused, 0 to 1
	 * @param refusedClients how many clients they would have refused at least once
	 */
	public record Trial(double factor, double refusedShare, long refusedClients) {
	}

}
