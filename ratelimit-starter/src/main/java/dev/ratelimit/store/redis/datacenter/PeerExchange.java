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
import dev.ratelimit.store.redis.datacenter.Configurations.Told;
import dev.ratelimit.store.redis.resp.ScriptCall;
import dev.ratelimit.store.wire.CallRunner;
import dev.ratelimit.store.wire.NodeCall;
import dev.ratelimit.support.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges with one other data centre what both have taken from the pools, on a thread
 * of its own: a data centre that is away keeps no other one waiting. What is to be
 * reported is read in the Redis here and sent to the Redis there; the reply is stored
 * here. What could not be reported is reported in a later round.
 */
final class PeerExchange {

	/** The largest number of clients that wait to be reported; others wait to be used. */
	static final int MOST_WAITING = 50_000;

	/** The largest number of clients that are reported in one round. */
	static final int MOST_AT_ONCE = 10_000;

	private static final int KEYS_PER_CALL = 500;

	/** Long, because no request waits for it. */
	private static final Duration PATIENCE = Duration.ofSeconds(1);

	/** How often the configurations are compared. */
	private static final Duration COMPARED_EVERY = Duration.ofSeconds(1);

	/** Between two rounds, however urgent they are. */
	private static final Duration SHORTEST_PAUSE = Duration.ofMillis(10);

	private static final Log logger = LogFactory.getLog(PeerExchange.class);

	private final String peer;

	private final CallRunner home;

	private final CallRunner there;

	private final Configurations configurations;

	private final ExchangeCalls calls;

	private final LongSupplier nanoTime;

	private final Set<PooledSubject> known = ConcurrentHashMap.newKeySet();

	private final Queue<PooledSubject> waiting = new ConcurrentLinkedQueue<>();

	private final AtomicInteger size = new AtomicInteger();

	private final Semaphore urgent = new Semaphore(0);

	private final Thread thread;

	private volatile Duration interval = Duration.ofDays(1);

	private volatile Optional<String> difference = Optional.empty();

	private volatile @Nullable Long repliedNanos;

	private volatile long unacknowledged;

	private volatile boolean hasTold = true;

	private final CountDownLatch ending = new CountDownLatch(1);

	private volatile Runnable differenceListener = () -> {
	};

	private boolean agreed;

	private @Nullable Long comparedNanos;

	PeerExchange(String peer, CallRunner home, CallRunner there, Configurations configurations, ExchangeCalls calls,
			LongSupplier nanoTime) {
		this.peer = peer;
		this.home = home;
		this.there = there;
		this.configurations = configurations;
		this.calls = calls;
		this.nanoTime = nanoTime;
		this.thread = DaemonThreads.create("ratelimit-exchange-" + peer, this::work);
	}

	/** Run something whenever the configurations begin or cease to differ. */
	void onDifference(Runnable listener) {
		this.differenceListener = listener;
	}

	/** Start, or change the time between two rounds. */
	synchronized void start(Duration every) {
		this.interval = every;
		if (this.ending.getCount() > 0 && this.thread.getState() == Thread.State.NEW) {
			this.thread.start();
		}
	}

	/**
	 * Tell of a client in one of the next rounds.
	 * @param subject the client
	 * @param soon whether requests wait for it
	 */
	void add(PooledSubject subject, boolean soon) {
		if (this.size.get() < MOST_WAITING && this.known.add(subject)) {
			this.size.incrementAndGet();
			this.waiting.add(subject);
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

	/** One that fails is followed by another, so it does not end the thread. */
	void round() {
		try {
			if (this.agreed && this.difference.isEmpty()) {
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
		Optional<Map<String, Told>> here = this.configurations.tell(this.home, PATIENCE);
		Optional<Map<String, Told>> there = this.configurations.tell(this.there, PATIENCE);
		there.ifPresent((all) -> this.repliedNanos = this.nanoTime.getAsLong());
		here.ifPresent((all) -> report(this.configurations.difference(this.peer, all, there)));
		this.hasTold = there.map((all) -> all.containsKey(this.peer)).orElse(true);
		this.agreed = there.filter((all) -> this.configurations.isSame(all, this.peer)).isPresent();
	}

	private void report(Optional<String> found) {
		if (!found.equals(this.difference)) {
			found.ifPresentOrElse((text) -> logger
				.warn(text + ". Until then, rules whose scope is everywhere admit only the guaranteed " + "share here"),
					() -> logger.info("Data centre " + this.peer + " is configured as this one now"));
			this.difference = found;
			this.differenceListener.run();
		}
	}

	private void exchange() {
		long unacknowledged = 0;
		int due = Math.min(MOST_AT_ONCE, this.size.get());
		for (int told = 0; told < due; told += KEYS_PER_CALL) {
			unacknowledged += exchange(next(Math.min(KEYS_PER_CALL, due - told)));
		}
		this.unacknowledged = unacknowledged;
	}

	/** What is used from now on is added again. */
	private List<PooledSubject> next(int most) {
		List<PooledSubject> batch = new ArrayList<>();
		for (int i = 0; i < most; i++) {
			PooledSubject subject = this.waiting.poll();
			if (subject == null) {
				break;
			}
			this.known.remove(subject);
			this.size.decrementAndGet();
			batch.add(subject);
		}
		return batch;
	}

	/** How many permits of a batch are still not acknowledged. */
	private long exchange(List<PooledSubject> batch) {
		List<ScriptCall> read = batch.stream().map((subject) -> this.calls.message(subject, this.peer)).toList();
		this.home.run(read, PATIENCE);
		List<PooledSubject> told = new ArrayList<>();
		List<ScriptCall> sent = new ArrayList<>();
		long unacknowledged = 0;
		for (int i = 0; i < batch.size(); i++) {
			Optional<Messages> messages = Messages.read(read.get(i));
			if (messages.isEmpty()) {
				add(batch.get(i), false);
			}
			else if (messages.get().isNeeded()) {
				unacknowledged += messages.get().unacknowledged();
				told.add(batch.get(i));
				sent.add(this.calls.exchange(batch.get(i), this.calls.here(), messages.get()));
			}
		}
		this.there.run(sent, PATIENCE);
		List<ScriptCall> stored = new ArrayList<>();
		List<PooledSubject> replied = new ArrayList<>();
		for (int i = 0; i < told.size(); i++) {
			PooledSubject subject = told.get(i);
			Optional<Messages> reply = Messages.replied(sent.get(i));
			if (reply.isPresent()) {
				replied.add(subject);
				stored.add(this.calls.exchange(subject, this.peer, reply.get()));
			}
			else {
				add(subject, false);
			}
		}
		if (!stored.isEmpty()) {
			this.repliedNanos = this.nanoTime.getAsLong();
			this.home.run(stored, PATIENCE);
			addAgain(stored, replied);
		}
		return unacknowledged;
	}

	/** Those whose acknowledgement could not be stored. */
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

	boolean agrees() {
		return this.difference.isEmpty();
	}

	PeerStatus status() {
		Long replied = this.repliedNanos;
		return new PeerStatus(this.peer,
				Optional.ofNullable(replied).map((nanos) -> Duration.ofNanos(this.nanoTime.getAsLong() - nanos)),
				this.unacknowledged,
				this.difference.or(() -> this.hasTold ? Optional.empty() : Optional.of("Data centre " + this.peer
						+ " has told no configuration in its Redis under this ratelimit.key-prefix, so nothing is exchanged with it")));
	}

	/** Tells once more what waits, and waits for that at most a second. */
	void close() {
		synchronized (this) {
			this.ending.countDown();
		}
		this.urgent.release();
		try {
			this.thread.join(PATIENCE.toMillis());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.there.close();
	}

}
