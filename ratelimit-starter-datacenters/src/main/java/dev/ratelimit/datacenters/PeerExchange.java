package dev.ratelimit.datacenters;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import dev.ratelimit.datacenters.ReportedConfigurations.Comparison;
import dev.ratelimit.datacenters.ReportedConfigurations.ReportedConfiguration;
import dev.ratelimit.spi.RedisScripts;
import dev.ratelimit.spi.RedisScripts.Invocation;
import dev.ratelimit.spi.RedisScripts.OpenedRedis;
import dev.ratelimit.spi.RedisScripts.Reply;
import dev.ratelimit.support.DaemonThreads;
import dev.ratelimit.support.LogFields;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Exchanges with one other data centre what both have taken from the pools. It has a
 * thread of its own, so that a data centre that is away delays no other exchange. A
 * message is read from the Redis here and sent to the Redis there, and the reply is
 * stored here. A message that could not be sent is sent in a later round. Tested by
 * {@code SharedPoolsTests}.
 */
final class PeerExchange {

	/** The largest number of clients in one round. */
	static final int MOST_PER_ROUND = 10_000;

	private static final int KEYS_PER_CALL = 500;

	/** Long, because no request waits for it. */
	static final Duration PATIENCE = Duration.ofSeconds(1);

	/** How often the configurations are compared. */
	private static final Duration COMPARED_EVERY = Duration.ofSeconds(1);

	/** After some comparisons without a reply. */
	private static final Duration SILENT_AFTER = Duration.ofSeconds(5);

	/** Clients that both decide are exchanged more often. */
	private static final Duration OTHER_TERMS_FOR = Duration.ofSeconds(10);

	/** The interval where nothing is to be exchanged. */
	private static final Duration RESTING = Duration.ofDays(1);

	/** Between two rounds, however urgent they are. */
	private static final Duration SHORTEST_PAUSE = Duration.ofMillis(10);

	private static final Logger logger = LoggerFactory.getLogger(PeerExchange.class);

	private final String peer;

	private final RedisScripts home;

	private final OpenedRedis there;

	private final ReportedConfigurations configurations;

	private final ExchangeCallFactory calls;

	private final LongSupplier nanoTime;

	private final ExchangeQueue queue = new ExchangeQueue();

	private final Semaphore urgent = new Semaphore(0);

	private final Thread thread;

	private volatile Duration interval = RESTING;

	private final CountDownLatch firstComparison = new CountDownLatch(1);

	private volatile Comparison comparison = Comparison.NONE;

	private volatile @Nullable Long repliedNanos;

	private final CountDownLatch ending = new CountDownLatch(1);

	private volatile Runnable comparisonListener = () -> {
	};

	private volatile @Nullable OtherTerms otherTerms;

	private boolean isReplying = true;

	private @Nullable Long comparedNanos;

	private @Nullable Long exchangedNanos;

	private Optional<String> loggedProblem = Optional.empty();

	PeerExchange(String peer, RedisScripts home, OpenedRedis there, ReportedConfigurations configurations,
			ExchangeCallFactory calls, LongSupplier nanoTime) {
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
	void rest() {
		this.interval = RESTING;
	}

	private boolean isResting() {
		return this.interval.equals(RESTING);
	}

	/**
	 * Queue a client for one of the next rounds.
	 * @param subject the client
	 * @param soon whether requests wait for it
	 */
	void add(PooledSubject subject, boolean soon) {
		this.queue.add(subject);
		if (soon && this.urgent.availablePermits() == 0) {
			this.urgent.release();
		}
	}

	private void work() {
		try {
			boolean isUrgent = true;
			while (true) {
				round(isUrgent);
				if (this.ending.await(SHORTEST_PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
					break;
				}
				isUrgent = pause();
			}
			if (this.isReplying) {
				round(true);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Wait for the next round. Requests shorten it only while the peer replies, because
	 * the calls of a round would be in vain.
	 * @return whether a request has shortened it
	 */
	private boolean pause() throws InterruptedException {
		Duration longest = (this.interval.compareTo(COMPARED_EVERY) < 0 || isResting()) ? this.interval
				: COMPARED_EVERY;
		long millis = longest.minus(SHORTEST_PAUSE).toMillis();
		boolean isUrgent = false;
		if (this.isReplying || isResting()) {
			isUrgent = this.urgent.tryAcquire(millis, TimeUnit.MILLISECONDS);
		}
		else {
			boolean ignored = this.ending.await(millis, TimeUnit.MILLISECONDS);
		}
		this.urgent.drainPermits();
		return isUrgent;
	}

	/**
	 * After a peer has not replied, its Redis may be another one, so the configurations
	 * are compared first. A failure does not end the thread: the next round tries again.
	 */
	private void round(boolean isUrgent) {
		try {
			if (!this.isReplying || isDue(this.comparedNanos, COMPARED_EVERY)) {
				this.comparedNanos = this.nanoTime.getAsLong();
				compare();
			}
			if (isExchanging() && (isUrgent || isDue(this.exchangedNanos, this.interval))) {
				this.exchangedNanos = this.nanoTime.getAsLong();
				exchange();
			}
		}
		catch (Throwable ex) {
			logger.debug("Nothing was exchanged with data centre " + this.peer + "; it is tried again", ex);
		}
	}

	private boolean isDue(@Nullable Long lastNanos, Duration every) {
		return lastNanos == null || this.nanoTime.getAsLong() - lastNanos >= every.minus(SHORTEST_PAUSE).toNanos();
	}

	private boolean isExchanging() {
		return this.isReplying && this.comparison.isExchanged() && this.comparison.difference().isEmpty();
	}

	private void compare() {
		Optional<Map<String, ReportedConfiguration>> here = this.configurations.report(this.home, true, PATIENCE);
		Optional<Map<String, ReportedConfiguration>> atPeer = this.configurations.report(this.there, false, PATIENCE);
		this.isReplying = atPeer.isPresent();
		atPeer.ifPresent((all) -> this.repliedNanos = this.nanoTime.getAsLong());
		if (here.isPresent()) {
			this.comparison = this.configurations.compare(this.peer, here.get(), atPeer, this.comparison);
			this.firstComparison.countDown();
			this.comparisonListener.run();
		}
		log();
	}

	/** Log what has changed. */
	private void log() {
		Optional<String> problem = status().problem();
		if (!problem.equals(this.loggedProblem)) {
			this.loggedProblem = problem;
			LoggingEventBuilder line = (problem.isPresent() ? logger.atWarn() : logger.atInfo())
				.addKeyValue(LogFields.PEER, this.peer);
			line.log(problem.orElse("Data centre " + this.peer + " exchanges again"));
		}
	}

	private void exchange() {
		int due = Math.min(MOST_PER_ROUND, this.queue.size());
		for (int done = 0; done < due && this.isReplying; done += KEYS_PER_CALL) {
			exchange(this.queue.next(Math.min(KEYS_PER_CALL, due - done)));
		}
	}

	private void exchange(List<PooledSubject> batch) {
		List<Reply> read = this.home
			.run(batch.stream().map((subject) -> this.calls.message(subject, this.peer)).toList(), PATIENCE);
		List<PooledSubject> needed = new ArrayList<>();
		List<PoolMessage> messages = new ArrayList<>();
		for (int i = 0; i < batch.size(); i++) {
			Optional<PoolMessage> message = PoolMessage.read(read.get(i));
			if (message.isEmpty()) {
				this.queue.add(batch.get(i));
			}
			else if (message.get().isNeeded()) {
				needed.add(batch.get(i));
				messages.add(message.get());
			}
		}
		if (!needed.isEmpty()) {
			send(needed, messages);
		}
	}

	/** What is not delivered stays queued. */
	private void send(List<PooledSubject> subjects, List<PoolMessage> messages) {
		List<Invocation> sent = new ArrayList<>();
		for (int i = 0; i < subjects.size(); i++) {
			sent.add(this.calls.send(subjects.get(i), messages.get(i)));
		}
		List<Reply> replies = this.there.run(sent, PATIENCE);
		List<Invocation> stored = new ArrayList<>();
		List<PooledSubject> replied = new ArrayList<>();
		for (int i = 0; i < subjects.size(); i++) {
			PooledSubject subject = subjects.get(i);
			Optional<PoolMessage> reply = PoolMessage.replied(replies.get(i));
			if (reply.isPresent()) {
				replied.add(subject);
				stored.add(this.calls.store(subject, this.peer, reply.get()));
				noteTerms(subject, messages.get(i), reply.get());
			}
			else {
				this.queue.add(subject);
			}
		}
		this.isReplying = !replied.isEmpty();
		if (this.isReplying) {
			this.repliedNanos = this.nanoTime.getAsLong();
			addAgain(this.home.run(stored, PATIENCE), replied);
		}
	}

	private void noteTerms(PooledSubject subject, PoolMessage message, PoolMessage reply) {
		if (message.differsFrom(reply)) {
			this.otherTerms = new OtherTerms(subject.limit().rule(), this.nanoTime.getAsLong());
		}
	}

	/** Queue again the clients whose acknowledgement could not be stored. */
	private void addAgain(List<Reply> stored, List<PooledSubject> subjects) {
		for (int i = 0; i < stored.size(); i++) {
			if (!stored.get(i).isReplied()) {
				this.queue.add(subjects.get(i));
			}
		}
	}

	/**
	 * Delete what is counted for a client there.
	 * @return whether it is deleted
	 */
	boolean reset(PooledSubject subject, Duration maxWait) {
		return this.there.run(this.calls.reset(subject), maxWait).isReplied();
	}

	String peer() {
		return this.peer;
	}

	/** Wait for the first comparison, at most until this time of the clock. */
	void awaitComparison(long nanos) throws InterruptedException {
		boolean ignored = this.firstComparison.await(nanos - this.nanoTime.getAsLong(), TimeUnit.NANOSECONDS);
	}

	/**
	 * Whether no difference was found so far as the Redis here and there have replied.
	 */
	boolean hasNoDifference() {
		return this.firstComparison.getCount() == 0 && this.comparison.difference().isEmpty();
	}

	PeerStatus status() {
		Long replied = this.repliedNanos;
		Optional<Duration> sinceReply = Optional.ofNullable(replied)
			.map((nanos) -> Duration.ofNanos(this.nanoTime.getAsLong() - nanos));
		return new PeerStatus(this.peer, sinceReply, this.queue.size(), problem(sinceReply));
	}

	private Optional<String> problem(Optional<Duration> sinceReply) {
		Comparison known = this.comparison;
		OtherTerms other = this.otherTerms;
		if (isResting() || known.difference().isPresent()) {
			return isResting() ? Optional.empty() : known.difference();
		}
		if (sinceReply.isEmpty() || sinceReply.get().compareTo(SILENT_AFTER) > 0) {
			return Optional.of("Data centre " + this.peer + " does not reply");
		}
		if (!known.isReported()) {
			return Optional.of("Data centre " + this.peer + " has reported no configuration in its Redis under this "
					+ "ratelimit.key-prefix, so nothing is exchanged with it");
		}
		if (other != null && this.nanoTime.getAsLong() - other.seenNanos < OTHER_TERMS_FOR.toNanos()) {
			return Optional.of(("Data centre %s divides rule '%s' in another way. Configure the same thresholds, "
					+ "guaranteed-share and pool-overshoot in all; until then its clients get the smaller share")
				.formatted(this.peer, other.rule));
		}
		return Optional.empty();
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

	/**
	 * A rule that the peer divides in another way.
	 *
	 * @param rule its id
	 * @param seenNanos when a message has shown that
	 */
	private record OtherTerms(String rule, long seenNanos) {
	}

}
