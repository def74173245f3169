package dev.ratelimit.queue.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;

import dev.ratelimit.queue.Acknowledgement;
import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.queue.ItemQueue.HandOut;
import dev.ratelimit.queue.ItemQueue.Handed;
import dev.ratelimit.queue.ItemQueue.NoReply;
import dev.ratelimit.queue.QueueListener;
import dev.ratelimit.queue.QueueStatus;
import dev.ratelimit.queue.QueuedSubject;
import dev.ratelimit.store.PermitIds;
import dev.ratelimit.support.Listeners;
import dev.ratelimit.support.LogFields;
import dev.ratelimit.support.OncePerMinute;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for items that are due, and starts their handling: a bounded number of each rule
 * at the same time, one of each subject. One thread calls {@link #round()} repeatedly.
 * Costs a call of the store per rule and round.
 */
final class QueueWorker {

	/** The time until the next round, if no item is known to be due sooner. */
	static final Duration PAUSE = Duration.ofMillis(500);

	private static final Logger logger = LoggerFactory.getLogger(QueueWorker.class);

	private final ItemQueue queue;

	private final QueueRules rules;

	private final ItemHandling run;

	private final QueueSettings settings;

	private final Listeners<QueueListener> listeners;

	private final Executor executor;

	private final PermitIds tokens;

	private final String name;

	private final LongSupplier nanoTime;

	private final Map<QueuedSubject, ItemLease> underWay = new ConcurrentHashMap<>();

	/**
	 * The subjects whose item the store could not lease, and until when they are skipped.
	 */
	private final Map<QueuedSubject, Long> resting = new ConcurrentHashMap<>();

	private final OncePerMinute warnings;

	private volatile Runnable whenDone = () -> {
	};

	QueueWorker(ItemQueue queue, QueueRules rules, ItemHandling run, QueueSettings settings,
			Listeners<QueueListener> listeners, Executor executor, PermitIds tokens, LongSupplier nanoTime) {
		this.queue = queue;
		this.rules = rules;
		this.run = run;
		this.settings = settings;
		this.listeners = listeners;
		this.executor = executor;
		this.tokens = tokens;
		this.name = tokens.next().text();
		this.nanoTime = nanoTime;
		this.warnings = new OncePerMinute(nanoTime);
	}

	/** Set a callback for the end of an item: there may be capacity for another one. */
	void whenDone(Runnable callback) {
		this.whenDone = callback;
	}

	/**
	 * Prolong the leases of items under way, and start items that are due.
	 * @return how long until the next round
	 */
	Duration round() {
		renew();
		List<String> rules = this.rules.ids();
		if (rules.isEmpty()) {
			return PAUSE;
		}
		long now = this.nanoTime.getAsLong();
		this.resting.values().removeIf((untilNanos) -> now - untilNanos >= 0);
		int most = this.settings.workers() + this.underWay.size() + this.resting.size();
		List<Optional<QueueStatus>> statuses = this.queue.statuses(rules, most, ItemHandling.PATIENCE);
		Duration pause = PAUSE;
		for (int i = 0; i < rules.size(); i++) {
			String rule = rules.get(i);
			Duration next = statuses.get(i).map((status) -> start(rule, status)).orElse(PAUSE);
			pause = (next.compareTo(pause) < 0) ? next : pause;
		}
		return pause;
	}

	private Duration start(String rule, QueueStatus status) {
		this.listeners.report((listener) -> listener.seen(rule, status));
		long free = this.settings.workers()
				- this.underWay.keySet().stream().filter((subject) -> subject.rule().equals(rule)).count();
		for (String subject : status.due()) {
			if (free > 0 && start(new QueuedSubject(rule, subject))) {
				free--;
			}
		}
		// Without free capacity, the next item that ends triggers a round.
		return (free > 0) ? status.untilNext().orElse(PAUSE) : PAUSE;
	}

	private boolean start(QueuedSubject of) {
		ItemLease leased = new ItemLease(this.nanoTime, this.settings.lease());
		if (this.resting.containsKey(of) || this.underWay.putIfAbsent(of, leased) != null) {
			return false;
		}
		try {
			this.executor.execute(() -> run(of, leased));
			return true;
		}
		catch (RejectedExecutionException ex) {
			// The executor is stopping.
			this.underWay.remove(of);
			return false;
		}
		catch (Error ex) {
			// No thread may be available. Another round retries it.
			this.underWay.remove(of);
			throw ex;
		}
	}

	private void run(QueuedSubject of, ItemLease leased) {
		boolean isAnswered = true;
		try {
			leased.prolonged();
			HandOut handOut = this.queue.start(of, this.tokens.next().text(), this.name, this.settings.lease(),
					ItemHandling.PATIENCE);
			if (handOut instanceof Handed handed) {
				leased.item(handed.item());
				this.run.run(handed.item(), leased::lasts);
			}
			isAnswered = !(handOut instanceof NoReply);
		}
		finally {
			if (!isAnswered) {
				rest(of);
			}
			this.underWay.remove(of);
			if (isAnswered) {
				this.whenDone.run();
			}
		}
	}

	/**
	 * The item is due, but calling again at once does not help if the store cannot write,
	 * or if the stream was changed from outside. Other subjects go first meanwhile, and
	 * no round is triggered.
	 */
	private void rest(QueuedSubject of) {
		this.resting.put(of, this.nanoTime.getAsLong() + PAUSE.toNanos());
		if (this.warnings.tryAcquire()) {
			logger.atWarn()
				.addKeyValue(LogFields.RULE, of.rule())
				.log(("The store could not hand out a request of rule '%s' that is due: it does not answer or "
						+ "write, or what is stored was changed. It is tried again twice a second, and nothing is lost")
					.formatted(of.rule()));
		}
	}

	/** Prolongs leases in time, and again after each third of a lease. */
	private void renew() {
		List<ItemLease> leased = new ArrayList<>();
		for (ItemLease one : this.underWay.values()) {
			if (one.isToBeRenewed()) {
				leased.add(one);
			}
		}
		if (leased.isEmpty()) {
			return;
		}
		long before = this.nanoTime.getAsLong();
		List<Acknowledgement> said = this.queue.renew(leased.stream().map(ItemLease::item).toList(),
				this.settings.lease(), ItemHandling.PATIENCE);
		for (int i = 0; i < leased.size(); i++) {
			if (said.get(i) == Acknowledgement.YES) {
				leased.get(i).prolonged(before);
			}
		}
	}

}
