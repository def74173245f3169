package dev.ratelimit.store.redis.datacenter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

import dev.ratelimit.store.PeerStatus;
import dev.ratelimit.store.redis.datacenter.ReportedConfigurations.ReportedConfiguration;
import dev.ratelimit.store.redis.resp.ScriptCall;
import dev.ratelimit.store.wire.CallRunner;
import dev.ratelimit.store.wire.NodeCall;
import dev.ratelimit.support.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges with one other data centre what both have taken from the pools. It has a
 * thread of its own, so that a data centre that is away delays no other exchange. A
 * message is read from the Redis here and sent to the Redis there, and the reply is
 * stored here. A message that could not be sent is sent in a later round.
 */
final class PeerExchange {

	/**
	 * The largest number of queued clients. Another one is queued with its next request.
	 */
	static final int MOST_QUEUED = 50_000;

	/** The largest number of clients in one round. */
	static final int MOST_PER_ROUND = 10_000;

	private static final int KEYS_PER_CALL = 500;

	/** Long, because no request waits for it. */
	static final Duration PATIENCE = Duration.ofSeconds(1);

	/** How often the configurations are compared. */
	private static final Duration COMPARED_EVERY = Duration.ofSeconds(1);

	private static final Duration PAUSED = Duration.ofDays(1);

	/** Between two rounds, however urgent they are. */
	private static final Duration SHORTEST_PAUSE = Duration.ofMillis(10);

	private static final Log logger = LogFactory.getLog(PeerExchange.class);

	private final String peer;

	private final CallRunner home;

	private final CallRunner there;

	private final ReportedConfigurations configurations;

	private final ExchangeCalls calls;

	private final LongSupplier nanoTime;

	private final Set<PooledSubject> queued = ConcurrentHashMap.newKeySet();

	private final Queue<PooledSubject> queue = new ConcurrentLinkedQueue<>();

	private final AtomicInteger size = new AtomicInteger();

	private final Semaphore urgent = new Semaphore(0);

	private final Thread thread;

	private volatile Duration interval = PAUSED;

	private final CountDownLatch isCompared = new CountDownLatch(1);

	private volatile Optional<String> difference = Optional.empty();

	private volatile @Nullable Long repliedNanos;

	private volatile long unacknowledged;

	private volatile boolean hasReported = true;

	private final CountDownLatch ending = new CountDownLatch(1);

	private volatile Runnable comparisonListener = () -> {
	};

	private boolean isSame;

	private @Nullable Long comparedNanos;

	PeerExchange(String peer, CallRunner home, CallRunner there, ReportedConfigurations configurations,
			ExchangeCalls calls, LongSupplier nanoTime) {
		this.peer = peer;
		this.home = home;
		this.there = there;
		this.configurations = configurations;
		this.calls = calls;
		this.nanoTime = nanoTime;
		this.thread = DaemonThreads.create("ratelimit-exchange-" + peer, this::work);
	}

	/** Run something whenever the configurations have been compared. */
	void onComparison(Runnable listener) {
		this.comparisonListener = listener;
	}

	/** Start, or change the time between two rounds. */
	synchronized void start(Duration every) {
		this.interval = every;
		if (this.ending.getCount() > 0 && this.thread.getState() == Thread.State.NEW) {
			this.thread.start();
		}
		this.urgent.release();
	}

	/** Exchange nothing, until it is started again. */
	void pause() {
		this.interval = PAUSED;
	}

	/**
	 * Queue a client for one of the next rounds.
	 * @param subject the client
	 * @param soon whether requests wait for it
	 */
	void add(PooledSubject subject, boolean soon) {
		if (this.size.get() < MOST_QUEUED && this.queued.add(subject)) {
			this.size.incrementAndGet();
			this.queue.add(subject);
		}
		if (soon && this.urgent.availablePermits() == 0) {
			this.urgent.release();
		}
	}

	private void work() {
		try {
			while (true) {
				round();
				if (this.ending.await(SHORTEST_PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
					break;
				}
				boolean ignored = this.urgent.tryAcquire(this.interval.minus(SHORTEST_PAUSE).toMillis(),
						TimeUnit.MILLISECONDS);
				this.urgent.drainPermits();
			}
			round();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** A failure does not end the thread: the next round tries again. */
	void round() {
		try {
			if (this.isSame && this.difference.isEmpty()) {
				exchange();
			}
			compare();
		}
		catch (RuntimeException | Error ex) {
			logger.debug("Nothing was exchanged with data centre " + this.peer + "; it is tried again", ex);
		}
	}

	/** Nothing is exchanged before the first comparison. */
	private void compare() {
		long now = this.nanoTime.getAsLong();
		if (this.comparedNanos != null && now - this.comparedNanos < COMPARED_EVERY.toNanos()) {
			return;
		}
		this.comparedNanos = now;
		Optional<Map<String, ReportedConfiguration>> here = this.configurations.report(this.home, true, PATIENCE);
		Optional<Map<String, ReportedConfiguration>> there = this.configurations.report(this.there, false, PATIENCE);
		there.ifPresent((all) -> {
			this.repliedNanos = this.nanoTime.getAsLong();
			this.isSame = this.configurations.isSame(all, this.peer);
		});
		here.ifPresent((all) -> compared(this.configurations.difference(this.peer, all, there)));
		this.hasReported = there.map((all) -> this.configurations.isHome(all, this.peer)).orElse(true);
	}

	private void compared(Optional<String> found) {
		if (!found.equals(this.difference)) {
			found.ifPresentOrElse(
					(text) -> logger.warn(text
							+ ". Until then, rules whose scope is everywhere admit only the guaranteed share here"),
					() -> logger.info("Data centre " + this.peer + " is configured as this one now"));
			this.difference = found;
		}
		this.isCompared.countDown();
		this.comparisonListener.run();
	}

	/** One that does not reply gets no further calls in this round. */
	private void exchange() {
		long undelivered = 0;
		int due = Math.min(MOST_PER_ROUND, this.size.get());
		for (int done = 0; done < due && undelivered == 0; done += KEYS_PER_CALL) {
			undelivered = exchange(next(Math.min(KEYS_PER_CALL, due - done)));
		}
		this.unacknowledged = undelivered;
	}

	/** A client that takes more from now on is queued again. */
	private List<PooledSubject> next(int most) {
		List<PooledSubject> batch = new ArrayList<>();
		for (int i = 0; i < most; i++) {
			PooledSubject subject = this.queue.poll();
			if (subject == null) {
				break;
			}
			this.queued.remove(subject);
			this.size.decrementAndGet();
			batch.add(subject);
		}
		return batch;
	}

	/** Returns how many permits of a batch could not be delivered. */
	private long exchange(List<PooledSubject> batch) {
		List<ScriptCall> read = batch.stream().map((subject) -> this.calls.message(subject, this.peer)).toList();
		this.home.run(read, PATIENCE);
		List<PooledSubject> needed = new ArrayList<>();
		List<Long> permits = new ArrayList<>();
		List<ScriptCall> sent = new ArrayList<>();
		for (int i = 0; i < batch.size(); i++) {
			Optional<Messages> messages = Messages.read(read.get(i));
			if (messages.isEmpty()) {
				add(batch.get(i), false);
			}
			else if (messages.get().isNeeded()) {
				needed.add(batch.get(i));
				permits.add(messages.get().unacknowledged());
				sent.add(this.calls.exchange(batch.get(i), this.calls.here(), messages.get()));
			}
		}
		this.there.run(sent, PATIENCE);
		List<ScriptCall> stored = new ArrayList<>();
		List<PooledSubject> replied = new ArrayList<>();
		long undelivered = 0;
		for (int i = 0; i < needed.size(); i++) {
			PooledSubject subject = needed.get(i);
			Optional<Messages> reply = Messages.replied(sent.get(i));
			if (reply.isPresent()) {
				replied.add(subject);
				stored.add(this.calls.exchange(subject, this.peer, reply.get()));
			}
			else {
				add(subject, false);
				undelivered += permits.get(i);
			}
		}
		if (!stored.isEmpty()) {
			this.repliedNanos = this.nanoTime.getAsLong();
			this.home.run(stored, PATIENCE);
			addAgain(stored, replied);
		}
		return undelivered;
	}

	/** Queue again the clients whose acknowledgement could not be stored. */
	private void addAgain(List<ScriptCall> stored, List<PooledSubject> subjects) {
		for (int i = 0; i < stored.size(); i++) {
			if (!(stored.get(i).outcome() instanceof NodeCall.Replied)) {
				add(subjects.get(i), false);
			}
		}
	}

	/**
	 * Delete what is counted for a client there.
	 * @return whether it is deleted
	 */
	boolean reset(PooledSubject subject, Duration maxWait) {
		ScriptCall call = this.calls.reset(subject);
		this.there.run(List.of(call), maxWait);
		return call.outcome() instanceof NodeCall.Replied;
	}

	String peer() {
		return this.peer;
	}

	/** Wait for the first comparison, at most until this time of the clock. */
	void awaitComparison(long nanos) throws InterruptedException {
		boolean ignored = this.isCompared.await(nanos - this.nanoTime.getAsLong(), TimeUnit.NANOSECONDS);
	}

	/**
	 * Whether no difference was found so far as the Redis here and there have replied.
	 */
	boolean hasNoDifference() {
		return this.isCompared.getCount() == 0 && this.difference.isEmpty();
	}

	PeerStatus status() {
		Long replied = this.repliedNanos;
		return new PeerStatus(this.peer,
				Optional.ofNullable(replied).map((nanos) -> Duration.ofNanos(this.nanoTime.getAsLong() - nanos)),
				this.unacknowledged,
				this.difference.or(() -> this.hasReported ? Optional.empty() : Optional.of("Data centre " + this.peer
						+ " has reported no configuration in its Redis under this ratelimit.key-prefix, so nothing is exchanged with it")));
	}

	/** Begin the last round. */
	synchronized void end() {
		this.ending.countDown();
		this.urgent.release();
	}

	/** Waits for the last round at most a second. */
	void close() {
		end();
		try {
			this.thread.join(PATIENCE.toMillis());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.there.close();
	}

}
