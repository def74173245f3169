package dev.ratelimit.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;

import dev.ratelimit.store.PermitIds;
import dev.ratelimit.store.queue.Acknowledged;
import dev.ratelimit.store.queue.HeldItem;
import dev.ratelimit.store.queue.ItemQueue;
import dev.ratelimit.store.queue.QueueSight;
import dev.ratelimit.store.queue.QueuedSubject;

/**
 * Looks for items that are due, and has them run: so many of each rule at the same time,
 * one of each subject. One thread calls {@link #round()} again and again. Costs a call of
 * the store per rule and round.
 */
final class QueueWorker {

	/** Until the next look, if nobody knows of anything sooner. */
	static final Duration PAUSE = Duration.ofMillis(500);

	private final ItemQueue queue;

	private final Permits permits;

	private final ItemRun run;

	private final QueueSettings settings;

	private final QueueListener listener;

	private final Executor executor;

	private final PermitIds tokens;

	private final String name;

	private final LongSupplier nanoTime;

	private final Map<QueuedSubject, Held> underWay = new ConcurrentHashMap<>();

	private volatile Runnable whenDone = () -> {
	};

	QueueWorker(ItemQueue queue, Permits permits, ItemRun run, QueueSettings settings, QueueListener listener,
			Executor executor, PermitIds tokens, LongSupplier nanoTime) {
		this.queue = queue;
		this.permits = permits;
		this.run = run;
		this.settings = settings;
		this.listener = listener;
		this.executor = executor;
		this.tokens = tokens;
		this.name = tokens.next().text();
		this.nanoTime = nanoTime;
	}

	/** Call back when an item has ended: there may be room for another one. */
	void whenDone(Runnable callback) {
		this.whenDone = callback;
	}

	/**
	 * Prolong what is under way, and start what is due.
	 * @return how long until the next round
	 */
	Duration round() {
		keep();
		List<String> rules = this.permits.rulesWithQueue();
		if (rules.isEmpty()) {
			return PAUSE;
		}
		List<Optional<QueueSight>> sights = this.queue.look(rules, this.settings.workers() + this.underWay.size(),
				ItemRun.PATIENCE);
		Duration pause = PAUSE;
		for (int i = 0; i < rules.size(); i++) {
			String rule = rules.get(i);
			Duration next = sights.get(i).map((sight) -> start(rule, sight)).orElse(PAUSE);
			pause = (next.compareTo(pause) < 0) ? next : pause;
		}
		return pause;
	}

	private Duration start(String rule, QueueSight sight) {
		this.listener.sighted(rule, sight);
		long free = this.settings.workers()
				- this.underWay.keySet().stream().filter((subject) -> subject.rule().equals(rule)).count();
		for (String subject : sight.due()) {
			if (free > 0 && start(new QueuedSubject(rule, subject))) {
				free--;
			}
		}
		// Where there is no room, whoever ends calls.
		return (free > 0) ? sight.untilNext().orElse(PAUSE) : PAUSE;
	}

	private boolean start(QueuedSubject of) {
		Held held = new Held(this.nanoTime, this.settings.lease());
		if (this.underWay.putIfAbsent(of, held) != null) {
			return false;
		}
		try {
			this.executor.execute(() -> run(of, held));
			return true;
		}
		catch (RejectedExecutionException ex) {
			// It is stopping.
			this.underWay.remove(of);
			return false;
		}
		catch (Error ex) {
			// There may be no thread to be had. Another round tries again.
			this.underWay.remove(of);
			throw ex;
		}
	}

	private void run(QueuedSubject of, Held held) {
		try {
			held.prolonged();
			Optional<HeldItem> item = this.queue.start(of, this.tokens.next().text(), this.name, this.settings.lease(),
					ItemRun.PATIENCE);
			if (item.isPresent()) {
				held.item(item.get());
				this.run.run(item.get(), held::lasts);
			}
		}
		finally {
			this.underWay.remove(of);
			this.whenDone.run();
		}
	}

	/** In time, and again each third of a lease. */
	private void keep() {
		List<Held> held = new ArrayList<>();
		for (Held one : this.underWay.values()) {
			if (one.isToBeKept()) {
				held.add(one);
			}
		}
		if (held.isEmpty()) {
			return;
		}
		long before = this.nanoTime.getAsLong();
		List<Acknowledged> said = this.queue.keep(held.stream().map(Held::item).toList(), this.settings.lease(),
				ItemRun.PATIENCE);
		for (int i = 0; i < held.size(); i++) {
			if (said.get(i) == Acknowledged.YES) {
				held.get(i).prolonged(before);
			}
		}
	}

}
