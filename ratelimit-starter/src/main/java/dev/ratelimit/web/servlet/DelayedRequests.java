package dev.ratelimit.web.servlet;

import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import dev.ratelimit.limiter.DecisionListener;
import dev.ratelimit.support.DaemonThreads;
import dev.ratelimit.support.Waiter;
import dev.ratelimit.web.DelayedRequest;
import dev.ratelimit.web.DelayedRequest.Phase;
import dev.ratelimit.web.RateLimitContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.context.SmartLifecycle;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncManager;
import org.springframework.web.context.request.async.WebAsyncUtils;

/**
 * Lets requests wait for their turns. At the handler they hold no thread: one timer for
 * all of them sends each back to its handler when its turn has come, never earlier.
 * Elsewhere, and where a filter or the servlet does not support asynchronous requests,
 * the thread waits. When the application stops, all of them end their wait at once,
 * before the server begins to wait for its active requests.
 */
public final class DelayedRequests implements SmartLifecycle, AutoCloseable {

	/** Above the phase of every web server's graceful shutdown. */
	private static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 512;

	/**
	 * The asynchronous timeout exceeds the wait by this much. A container that is later
	 * ends the wait.
	 */
	private static final Duration MARGIN = Duration.ofSeconds(30);

	/** How soon a waiting thread notices that the application stops. */
	private static final long LONGEST_PARK_NANOS = 100_000_000;

	private final Waiter waiter;

	private final DecisionListener listener;

	private final ScheduledThreadPoolExecutor timer;

	private final Set<AsyncWait> waits = ConcurrentHashMap.newKeySet();

	private volatile boolean open = true;

	/**
	 * Create it; its thread starts with the first request that waits.
	 * @param waiter supplies the time, and lets threads wait
	 * @param listener is notified of requests that wait
	 */
	public DelayedRequests(Waiter waiter, DecisionListener listener) {
		this.waiter = waiter;
		this.listener = listener;
		this.timer = new ScheduledThreadPoolExecutor(1, DaemonThreads.factory("ratelimit-turns"));
		this.timer.setRemoveOnCancelPolicy(true);
	}

	@Override
	public void start() {
		this.open = true;
	}

	/**
	 * End the wait of all waiting requests, and of all that start to wait from now on.
	 */
	@Override
	public void stop() {
		this.open = false;
		this.waits.forEach(AsyncWait::dispatch);
	}

	/**
	 * Whether requests may wait.
	 * @return whether they may, which is so before the first start too
	 */
	@Override
	public boolean isRunning() {
		return this.open;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	@Override
	public void close() {
		stop();
		this.timer.shutdownNow();
	}

	long now() {
		return this.waiter.now();
	}

	/** Whether a request, on its way through the filters, may wait at its handler. */
	boolean mayWaitAtHandler(RateLimitContext context, HttpServletRequest request) {
		return context.isOfMvc() && mayBeAsync(request) && request.getServletContext()
			.getServletRegistration(request.getHttpServletMapping().getServletName()) != null;
	}

	/**
	 * The handler of a forward or an include is part of another one, which is running.
	 */
	private static boolean mayBeAsync(HttpServletRequest request) {
		DispatcherType type = request.getDispatcherType();
		return (type == DispatcherType.REQUEST || type == DispatcherType.ASYNC) && request.isAsyncSupported()
				&& !request.isAsyncStarted();
	}

	/** Whether a request whose turn is still to come may wait without a thread. */
	boolean mayWaitWithoutThread(DelayedRequest delayedRequest, HttpServletRequest request) {
		return delayedRequest.isAt(Phase.TO_COME) && mayBeAsync(request);
	}

	/**
	 * Wait without a thread. The handler is called anew when the turn has come or
	 * requests may wait no longer.
	 * @param left is run if the request ends before
	 */
	void waitWithoutThread(DelayedRequest delayedRequest, HttpServletRequest request, HttpServletResponse response,
			Runnable left) {
		long nanos = Math.max(0, delayedRequest.dueNanos() - now());
		begin(delayedRequest);
		AsyncWait wait = new AsyncWait(delayedRequest, new DeferredResult<>(MARGIN.plusNanos(nanos).toMillis()));
		Runnable over = () -> {
			this.waits.remove(wait);
			wait.cancelTimer();
			if (end(delayedRequest)) {
				left.run();
			}
		};
		wait.result().onCompletion(over);
		this.waits.add(wait);
		try {
			start(wait.result(), request, response);
		}
		catch (Throwable ex) {
			over.run();
			throw ex;
		}
		wait.run();
	}

	/** Started through MVC, so that it keeps uploads, and filters wait for the end. */
	private static void start(DeferredResult<Object> result, HttpServletRequest request, HttpServletResponse response) {
		WebAsyncManager manager = WebAsyncUtils.getAsyncManager(request);
		manager.setAsyncWebRequest(WebAsyncUtils.createAsyncWebRequest(request, response));
		try {
			manager.startDeferredResultProcessing(result);
		}
		catch (Exception ex) {
			throw new IllegalStateException("The request cannot wait for its turn", ex);
		}
	}

	/**
	 * Return from a wait without a thread.
	 * @return whether the turn has come; if not, the request may wait no longer
	 */
	boolean resume(DelayedRequest delayedRequest, HttpServletRequest request) {
		WebAsyncManager manager = WebAsyncUtils.getAsyncManager(request);
		boolean failed = manager.getConcurrentResult() instanceof Throwable;
		manager.clearConcurrentResult();
		return endAtTurn(delayedRequest) && !failed;
	}

	/**
	 * Wait on this thread.
	 * @return whether the turn has come; if not, the request may wait no longer
	 */
	boolean waitOnThread(DelayedRequest delayedRequest) {
		begin(delayedRequest);
		try {
			while (this.open && delayedRequest.dueNanos() - now() > 0) {
				this.waiter.until(now() + Math.min(LONGEST_PARK_NANOS, delayedRequest.dueNanos() - now()));
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return endAtTurn(delayedRequest);
	}

	/** Returns whether the turn has come, and the client has not left before. */
	private boolean endAtTurn(DelayedRequest delayedRequest) {
		boolean turnHasCome = delayedRequest.dueNanos() - now() <= 0;
		return end(delayedRequest) && turnHasCome;
	}

	private void begin(DelayedRequest delayedRequest) {
		if (delayedRequest.move(Phase.TO_COME, Phase.WAITING)) {
			delayedRequest.rules().forEach(this.listener::waits);
		}
	}

	private boolean end(DelayedRequest delayedRequest) {
		boolean first = delayedRequest.move(Phase.WAITING, Phase.OVER);
		if (first) {
			long nanos = now() - delayedRequest.sinceNanos();
			delayedRequest.rules().forEach((rule) -> this.listener.waited(rule, nanos));
		}
		return first;
	}

	/**
	 * A request that waits without a thread and is sent back to its handler afterwards.
	 */
	private final class AsyncWait implements Runnable {

		private final DelayedRequest delayedRequest;

		private final DeferredResult<Object> result;

		private final AtomicReference<Future<?>> release = new AtomicReference<>(new CompletableFuture<>());

		AsyncWait(DelayedRequest delayedRequest, DeferredResult<Object> result) {
			this.delayedRequest = delayedRequest;
			this.result = result;
		}

		DeferredResult<Object> result() {
			return this.result;
		}

		/**
		 * Checks the time again, as the timer may run early: no request goes on before
		 * its turn.
		 */
		@Override
		public void run() {
			long nanos = this.delayedRequest.dueNanos() - now();
			if (nanos <= 0 || !isRunning()) {
				dispatch();
				return;
			}
			try {
				this.release.set(DelayedRequests.this.timer.schedule(this, nanos, TimeUnit.NANOSECONDS));
			}
			catch (RejectedExecutionException ex) {
				// It was closed just now.
				dispatch();
			}
		}

		/**
		 * The completion of a request whose handler is asynchronous itself is not
		 * reported.
		 */
		void dispatch() {
			DelayedRequests.this.waits.remove(this);
			try {
				this.result.setResult(this.delayedRequest.rules());
			}
			catch (IllegalStateException ex) {
				// It has ended at this moment, and the others still wait.
			}
		}

		void cancelTimer() {
			Objects.requireNonNull(this.release.get()).cancel(false);
		}

	}

}
