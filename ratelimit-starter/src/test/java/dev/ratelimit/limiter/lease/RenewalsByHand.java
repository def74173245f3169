package dev.ratelimit.limiter.lease;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

import dev.ratelimit.fixture.Patience;
import dev.ratelimit.limiter.remote.RemoteStore;
import dev.ratelimit.store.PermitIds;
import dev.ratelimit.support.BackgroundThread;
import org.jspecify.annotations.Nullable;

/**
 * The background of leases, which a test runs when it wants to.
 */
public class RenewalsByHand extends BackgroundThread {

	/** Unique over all instances of all tests. */
	private static final PermitIds IDS = new PermitIds(new SplittableRandom());

	private final Queue<Runnable> tasks = new ArrayDeque<>();

	private @Nullable Error failure;

	RenewalsByHand() {
		super("never started");
	}

	/** Leases that are renewed ahead when this runs. */
	Leases leases(RemoteStore store, LongSupplier nanoTime) {
		return new Leases(store, IDS, Patience.LONG, nanoTime, this);
	}

	/** Leases that are renewed ahead before the request that notices has returned. */
	public static Leases atOnce(RemoteStore store, LongSupplier nanoTime) {
		return new Leases(store, IDS, Patience.LONG, nanoTime, new RenewalsByHand() {

			@Override
			public void soon(Runnable task) {
				task.run();
			}

		});
	}

	@Override
	public synchronized void every(Duration interval, Runnable task) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void soon(Runnable task) {
		Error once = this.failure;
		this.failure = null;
		if (once != null) {
			throw once;
		}
		this.tasks.add(task);
	}

	/** The next task is not accepted. */
	void failOnce(Error failure) {
		this.failure = failure;
	}

	/** The next task, which is still to run. */
	Runnable next() {
		return this.tasks.remove();
	}

	void run() {
		for (Runnable task = this.tasks.poll(); task != null; task = this.tasks.poll()) {
			task.run();
		}
	}

	@Override
	public synchronized void restart() {
		throw new UnsupportedOperationException();
	}

	@Override
	public void close() {
		this.tasks.clear();
	}

}
