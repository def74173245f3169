package dev.ratelimit.store.wire;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.LateReplyListener;
import dev.ratelimit.store.SettlementResult;
import dev.ratelimit.support.Listeners;
import dev.ratelimit.support.Pending;
import org.apache.commons.logging.Log;

/**
 * Releases permits: at once if a request has time for that, otherwise in the background.
 * A release that certainly did not reach its node is retried there from a bounded queue,
 * until the windows of the permits have passed. A release that may have reached it is not
 * retried, because a receipt shown twice would free the permits of another client. Tested
 * by {@code PermitReleaserTests}.
 */
public final class PermitReleaser implements AutoCloseable {

	private static final int MAX_QUEUED = 10_000;

	private static final int BATCH = 50;

	private static final Duration WAIT = Duration.ofMillis(100);

	private static final Duration SHORTEST_PAUSE = Duration.ofMillis(50);

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

	private final CallRunner runner;

	private final ReleaseCallFactory calls;

	private final Listeners<LateReplyListener> listener;

	private final Log logger;

	private final BlockingQueue<PendingRelease> queue = new LinkedBlockingQueue<>(MAX_QUEUED);

	private final ExecutorService thread;

	private final CountDownLatch closed = new CountDownLatch(1);

	/**
	 * Create a releaser without a thread.
	 * @param store the store, as the name of the thread shows it, such as {@code redis}
	 * @param runner runs the calls
	 * @param calls creates the calls
	 * @param listener receives the outcome of background work
	 * @param logger receives what no request is notified of
	 */
	public PermitReleaser(String store, CallRunner runner, ReleaseCallFactory calls, LateReplyListener listener,
			Log logger) {
		this.runner = runner;
		this.calls = calls;
		this.listener = new Listeners<>("listener of releases", List.of(listener));
		this.logger = logger;
		this.thread = BackgroundTasks.threadForOneTask("ratelimit-" + store + "-release");
	}

	/**
	 * Release permits.
	 * @param permits the permits
	 * @param maxWait how long it may take in total; zero means not to wait at all
	 * @return what became of them, one entry per permit, in their order
	 */
	public Pending<List<SettlementResult>> release(List<AcquiredPermits> permits, Duration maxWait) {
		List<PendingRelease> all = permits.stream().map(this::pending).toList();
		return this.runner.pending(toSend(all), maxWait, (ended) -> all.stream().map(this::end).toList());
	}

	private static List<NodeCall> toSend(List<PendingRelease> releases) {
		return releases.stream()
			.map(PendingRelease::call)
			.filter((call) -> !(call.outcome() instanceof NodeCall.Replied))
			.toList();
	}

	private PendingRelease pending(AcquiredPermits taken) {
		return new PendingRelease(taken, Deadline.in(taken.request().limit().horizon()));
	}

	private SettlementResult end(PendingRelease release) {
		if (release.call().outcome() instanceof NodeCall.FailedCall failed) {
			return switch (failed.fate()) {
				case AWAITED -> SettlementResult.AWAITED;
				case UNKNOWN -> SettlementResult.LOST;
				case NOT_TAKEN -> queue(release) ? SettlementResult.AWAITED : SettlementResult.LOST;
			};
		}
		Object reply = ((NodeCall.Replied) release.call().outcome()).reply();
		return release.isAcknowledged(reply) ? SettlementResult.ACKNOWLEDGED : SettlementResult.LOST;
	}

	/**
	 * Create a call that releases permits of a late reply, to be sent over the same
	 * connection.
	 * @param permits the permits
	 * @return the call, whose outcome is reported to the listener
	 */
	public NodeCall undo(AcquiredPermits permits) {
		return pending(permits).call();
	}

	private boolean queue(PendingRelease release) {
		boolean queued = this.closed.getCount() > 0 && !release.isPointless() && this.queue.offer(release);
		if (queued) {
			startToWork();
		}
		return queued;
	}

	/** One task handles all releases that are queued, and those that it queues itself. */
	private void startToWork() {
		try {
			this.thread.execute(this::work);
		}
		catch (Throwable ex) {
			// No memory for a thread: the next queued release tries again.
			this.logger.debug("Releases wait for a thread", ex);
		}
	}

	private void work() {
		Duration pause = SHORTEST_PAUSE;
		try {
			while (!this.queue.isEmpty() && this.closed.getCount() > 0) {
				pause = repeat() ? SHORTEST_PAUSE : shorter(pause.multipliedBy(2), LONGEST_PAUSE);
				boolean ignored = this.closed.await(pause.toMillis(), TimeUnit.MILLISECONDS);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			if (!this.queue.isEmpty()) {
				// An error or an interrupt has ended the work, or the releaser is closed.
				startToWork();
			}
		}
	}

	private static Duration shorter(Duration one, Duration other) {
		return (one.compareTo(other) < 0) ? one : other;
	}

	/** Whether a node executed any release of a batch. */
	private boolean repeat() {
		List<PendingRelease> queued = new ArrayList<>();
		this.queue.drainTo(queued, BATCH);
		List<PendingRelease> batch;
		try {
			batch = queued.stream().map(PendingRelease::again).toList();
			this.runner.run(toSend(batch), WAIT);
		}
		catch (Throwable ex) {
			// Some may have reached their node.
			queued.forEach((release) -> release.report(false));
			this.logger.debug("Releases have failed", ex);
			return false;
		}
		boolean any = false;
		for (PendingRelease release : batch) {
			boolean untouched = release.call().outcome() instanceof NodeCall.FailedCall failed
					&& failed.fate() == Fate.NOT_TAKEN;
			any |= !untouched;
			SettlementResult end = end(release);
			if (end != SettlementResult.AWAITED) {
				release.report(end == SettlementResult.ACKNOWLEDGED);
			}
		}
		return any;
	}

	@Override
	public void close() {
		this.closed.countDown();
		this.thread.shutdown();
		if (!this.queue.isEmpty()) {
			this.logger.info(this.queue.size() + " releases did not reach the store before the limiter was closed; "
					+ "their permits stay counted until their windows have passed");
		}
	}

	/**
	 * Report how permits ended that no request waits for. The thread may be that of a
	 * request, which reads the replies of others.
	 * @param rule the id of the rule
	 * @param acknowledged whether the store acknowledged their release
	 */
	public void report(String rule, boolean acknowledged) {
		this.listener.reportLater((one) -> one.released(rule, acknowledged));
	}

	/** Permits that are being released. */
	private final class PendingRelease implements NodeCall.Afterwards {

		private final AcquiredPermits taken;

		private final Deadline windowsPass;

		private final NodeCall call;

		PendingRelease(AcquiredPermits taken, Deadline windowsPass) {
			this.taken = taken;
			this.windowsPass = windowsPass;
			this.call = PermitReleaser.this.calls.release(taken, this);
		}

		/**
		 * With a call of its own, made when it is sent: the windows may have ended since,
		 * and the outcome of the first call may not have been read.
		 */
		PendingRelease again() {
			return new PendingRelease(this.taken, this.windowsPass);
		}

		NodeCall call() {
			return this.call;
		}

		boolean isPointless() {
			return this.windowsPass.isOver();
		}

		boolean isAcknowledged(Object reply) {
			return PermitReleaser.this.calls.isAcknowledged(this.taken, reply);
		}

		void report(boolean acknowledged) {
			PermitReleaser.this.report(this.taken.request().limit().rule(), acknowledged);
		}

		@Override
		public Optional<NodeCall> ran(Object reply) {
			report(isAcknowledged(reply));
			return Optional.empty();
		}

		@Override
		public void didNotRun() {
			if (!queue(this)) {
				report(false);
			}
		}

		@Override
		public void lost() {
			report(false);
		}

	}

}
