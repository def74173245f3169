package dev.ratelimit.support;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Several listeners of one kind, each guarded. They are beans of the application: one
 * that throws must keep neither a request nor another listener from what it waits for.
 * One that blocks must not stop heartbeats, renewals or replies: what a thread of the
 * limiter reports is passed on by another thread, in its order. That thread exists while
 * there is something to report.
 *
 * @param <L> the type of the listeners
 */
public final class Listeners<L> {

	private static final Log logger = LogFactory.getLog(Listeners.class);

	private static final int MOST_WAITING = 1_000;

	private final String kind;

	private final List<L> all;

	private final Executor thread;

	private final AtomicBoolean dropped = new AtomicBoolean();

	private final Set<Class<?>> failed = ConcurrentHashMap.newKeySet();

	/**
	 * Create a group of listeners.
	 * @param kind what they are, for the log, such as {@code "decision listener"}
	 * @param all the listeners, in the order in which they are notified
	 */
	public Listeners(String kind, List<L> all) {
		this.kind = kind;
		this.all = List.copyOf(all);
		this.thread = DaemonThreads.onDemand("ratelimit-listeners", MOST_WAITING);
	}

	/**
	 * Notify all listeners: at once on the thread of a request, soon on a thread of the
	 * limiter.
	 * @param event calls one listener
	 */
	public void report(Consumer<? super L> event) {
		if (DaemonThreads.isCurrent()) {
			reportLater(event);
		}
		else {
			notify(event);
		}
	}

	/**
	 * Notify one of the listeners, as {@link #report(Consumer)} does.
	 * @param listener the listener
	 * @param event calls it
	 */
	public void report(L listener, Consumer<? super L> event) {
		if (DaemonThreads.isCurrent()) {
			later(() -> notify(listener, event));
		}
		else {
			notify(listener, event);
		}
	}

	/**
	 * Notify all listeners soon: for any thread that others wait for, also that of a
	 * request that reads for others.
	 * @param event calls one listener
	 */
	public void reportLater(Consumer<? super L> event) {
		if (!this.all.isEmpty()) {
			later(() -> notify(event));
		}
	}

	private void later(Runnable notification) {
		try {
			this.thread.execute(notification);
		}
		catch (RejectedExecutionException ex) {
			drop();
		}
		catch (Throwable ex) {
			// There may be no memory for the thread.
			logger.debug("No " + this.kind + " was notified", ex);
		}
	}

	private void drop() {
		if (!this.dropped.getAndSet(true)) {
			logger.warn("A %s does not return, and %d events wait for it. More are dropped; this is logged once"
				.formatted(this.kind, MOST_WAITING));
		}
	}

	private void notify(Consumer<? super L> event) {
		for (L listener : this.all) {
			notify(listener, event);
		}
	}

	private void notify(L listener, Consumer<? super L> event) {
		try {
			event.accept(listener);
		}
		catch (Throwable ex) {
			failed(listener, ex);
		}
	}

	/**
	 * The listeners, for events of every request: a loop over their indexes allocates
	 * nothing. Threads of the limiter {@linkplain #report report}.
	 * @return the listeners
	 */
	public List<L> all() {
		return this.all;
	}

	/**
	 * Log that a listener threw: once per type as a warning. The message of the exception
	 * may name a client, so it is logged for debugging only.
	 * @param listener the listener
	 * @param failure what it threw
	 */
	public void failed(L listener, Throwable failure) {
		if (this.failed.add(listener.getClass())) {
			logger.warn("A %s of type %s threw %s. Requests go on all the same; this is logged once"
				.formatted(this.kind, listener.getClass().getName(), failure.getClass().getName()));
		}
		logger.debug("A " + this.kind + " failed", failure);
	}

}
