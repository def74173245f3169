package dev.ratelimit.limiter.insight;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Subject;

/**
 * A sample of the clients, each with all of its requests. It contains every client while
 * there are at most {@value #CAPACITY}, then every second one by its hash, then every
 * fourth, and so on. This is the "adaptive sampling" of Wegman, analyzed by Flajolet, "On
 * Adaptive Sampling" (Computing 43, 1990). Its estimate of the number of clients is off
 * by about 1.2 / sqrt(size), here 8 percent, one standard deviation. A client outside the
 * sample costs one comparison. Safe for concurrent use. Tested by {@code TrialsTests}.
 */
final class ClientSample {

	static final int CAPACITY = 256;

	private final Map<Subject, Member> members = new ConcurrentHashMap<>();

	/** Hashes in the sample begin with at least this many zeros. */
	private volatile int level;

	boolean takes(long hash) {
		return Long.numberOfLeadingZeros(hash) >= this.level;
	}

	/** How many clients each client of the sample represents. */
	long weight() {
		return 1L << this.level;
	}

	/** A client that the sample contains; it may be dropped at any time. */
	ClientOnTrial find(Subject subject, long hash, Limit limit) {
		Member member = this.members.get(subject);
		return (member != null) ? member.client() : add(subject, hash, limit);
	}

	private synchronized ClientOnTrial add(Subject subject, long hash, Limit limit) {
		Member member = this.members.computeIfAbsent(subject, (added) -> new Member(hash, new ClientOnTrial(limit)));
		while (this.members.size() > CAPACITY && this.level < Long.SIZE - 1) {
			this.level = this.level + 1;
			this.members.values().removeIf((one) -> !takes(one.hash()));
		}
		return member.client();
	}

	Collection<ClientOnTrial> clients() {
		return this.members.values().stream().map(Member::client).toList();
	}

	private record Member(long hash, ClientOnTrial client) {
	}

}
