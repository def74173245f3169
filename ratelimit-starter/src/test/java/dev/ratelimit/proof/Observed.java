package dev.ratelimit.proof;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;

import dev.ratelimit.proof.DecisionTrace.Decision;
import dev.ratelimit.proof.Load.Response;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What was observed of an application while something was wrong with its Redis, and the
 * assertions of its promises.
 *
 * @param decisions its decisions, before, meanwhile and afterwards
 * @param responses its responses
 * @param meanwhile its responses to requests that were sent while Redis failed
 * @param controlDelay how late the latest control was
 * @param threads how many threads there were more than before
 * @param recovery how long after Redis the last rule was shared again
 * @param lost the most permits of one rule that were reported to Redis and may not have
 * arrived
 */
record Observed(List<Decision> decisions, List<Response> responses, List<Response> meanwhile, Duration controlDelay,
		long threads, Duration recovery, long lost) {

	/** The default. */
	static final Duration DEADLINE = Duration.ofMillis(250);

	/**
	 * While Redis does not reply: one for the turn of a request that arrived just before,
	 * and one for its reply.
	 */
	static final Duration LONGEST = DEADLINE.multipliedBy(2);

	/** A probe a second, and as much again to detect the failure first. */
	static final Duration RECOVERY = Duration.ofSeconds(2);

	private static final int MORE_THREADS = 4;

	/** P5: no fault becomes an error of the application. */
	void assertNoErrors() {
		assertThat(this.responses.stream().filter(Observed::isError).toList()).as("errors").isEmpty();
	}

	/** P5: in time, and on the threads that there are. */
	void assertDecidedInTime() {
		assertThat(slowest()).as("the slowest decision").isLessThanOrEqualTo(LONGEST.plus(this.controlDelay));
		assertThat(this.threads).as("more threads").isLessThanOrEqualTo(MORE_THREADS);
	}

	private static boolean isError(Response response) {
		boolean denied = response.status() == 503 && response.request().path().equals(Policies.DENY);
		return response.status() >= 500 && !denied;
	}

	/**
	 * P6: each rule follows its policy, for every client that Redis would have had to
	 * count.
	 */
	void assertPoliciesFollowed() {
		List<Response> counted = this.meanwhile.stream()
			.filter((response) -> Policies.isFromNewClient(response.request()))
			.toList();
		assertThat(counted).extracting((response) -> response.request().path())
			.contains(Policies.ALLOW, Policies.DENY, Policies.LOCAL);
		assertThat(counted).allSatisfy((response) -> assertThat(response.status())
			.isEqualTo(response.request().path().equals(Policies.DENY) ? 503 : 200));
	}

	/** P7: it recovers by itself. */
	void assertRecovered() {
		assertThat(this.recovery).as("shared again after").isLessThanOrEqualTo(RECOVERY.plus(this.controlDelay));
	}

	/**
	 * A client that uses up every limit is granted it by Redis once, or twice if Redis
	 * lost its data, and once more by this instance alone; each time no more above it
	 * than the mode says, and the lost permits.
	 */
	void assertBounded(int limits, long mostAbove) {
		long most = limits * (Policies.LIMIT + mostAbove) + this.lost;
		assertThat(admitted(Policies.DENY)).as("by Redis").isBetween(1L, most);
		assertThat(admitted(Policies.LOCAL)).as("by Redis, and alone").isBetween(1L, most + Policies.LIMIT);
	}

	/** Every decision was made in Redis. */
	void assertUndisturbed() {
		assertThat(this.decisions).isNotEmpty().allMatch(Decision::isShared);
	}

	long admitted(String path) {
		return this.responses.stream()
			.filter((response) -> response.status() == 200 && response.request().path().equals(path)
					&& !Policies.isFromNewClient(response.request()))
			.count();
	}

	private Duration slowest() {
		return this.decisions.stream().map(Decision::took).max(Comparator.naturalOrder()).orElseThrow();
	}

	String describe() {
		String statuses = this.meanwhile.stream()
			.collect(Collectors.groupingBy(Response::status, TreeMap::new, Collectors.counting()))
			.toString();
		return String.format(Locale.ROOT,
				"%,5d decisions, slowest %.1f ms (deadline %d ms, controls up to %.1f ms late), meanwhile %s, threads %+d, "
						+ "shared again after %.2f s, admitted by Redis %d, with what is admitted alone %d of %d, lost %d",
				this.decisions.size(), millis(slowest()), DEADLINE.toMillis(), millis(this.controlDelay), statuses,
				this.threads, this.recovery.toNanos() / 1e9, admitted(Policies.DENY), admitted(Policies.LOCAL),
				Policies.LIMIT, this.lost);
	}

	private static double millis(Duration duration) {
		return duration.toNanos() / 1e6;
	}

}
