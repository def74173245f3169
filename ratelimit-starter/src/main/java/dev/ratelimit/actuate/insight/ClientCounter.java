package dev.ratelimit.actuate.insight;

import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.store.Subject;

/**
 * Counts one client until another one takes its place.
 */
final class ClientCounter {

	/** Low enough to stay negative, however many requests still arrive. */
	private static final long SEALED = Long.MIN_VALUE;

	private final Subject subject;

	private final long inherited;

	private final AtomicLong requests;

	private final AtomicLong refused = new AtomicLong();

	/**
	 * Create a counter at the first request of a client.
	 * @param subject the client
	 * @param inherited the count of the displaced client
	 */
	ClientCounter(Subject subject, long inherited) {
		this.subject = subject;
		this.inherited = inherited;
		this.requests = new AtomicLong(inherited + 1);
	}

	/** Count a request; false if another client has taken the place of this counter. */
	boolean add() {
		return this.requests.incrementAndGet() > 0;
	}

	void addRefusal() {
		this.refused.incrementAndGet();
	}

	/** Give up the place; false if the client has made another request meanwhile. */
	boolean seal(long requests) {
		return this.requests.compareAndSet(requests, SEALED);
	}

	Subject subject() {
		return this.subject;
	}

	long requests() {
		return this.requests.get();
	}

	HeavyClient toClient() {
		return new HeavyClient(this.subject, this.requests.get(), this.inherited, this.refused.get());
	}

}
