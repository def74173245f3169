package dev.ratelimit.support;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Creates the threads of the limiter. They do not keep the JVM alive, and they do not
 * keep a web application's class loader from being collected, whichever thread starts
 * them: they inherit no thread locals.
 */
public final class DaemonThreads {

	private static final long IDLE_SECONDS = 1;

	private DaemonThreads() {
	}

	/**
	 * Create a thread, which is not started.
	 * @param name its name
	 * @param task its work
	 * @return the thread
	 */
	public static Thread create(String name, Runnable task) {
		Thread thread = new DaemonThread(task, name);
		thread.setDaemon(true);
		thread.setContextClassLoader(DaemonThreads.class.getClassLoader());
		return thread;
	}

	/**
	 * Whether the current thread was created here, so that others may need what it does
	 * next.
	 * @return whether it belongs to the limiter, and not to a request
	 */
	public static boolean isCurrent() {
		return Thread.currentThread() instanceof DaemonThread;
	}

	/**
	 * The same for executors.
	 * @param name the name of all its threads
	 * @return a factory
	 */
	public static ThreadFactory factory(String name) {
		return (task) -> create(name, task);
	}

	/**
	 * Create one thread that exists while there is something to run, and a second longer.
	 * It needs no end.
	 * @param name the name of the thread
	 * @param mostWaiting how many tasks may wait; more are rejected
	 * @return the executor
	 */
	public static Executor onDemand(String name, int mostWaiting) {
		ThreadPoolExecutor executor = new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(mostWaiting), factory(name));
		executor.allowCoreThreadTimeOut(true);
		return executor;
	}

	private static final class DaemonThread extends Thread {

		DaemonThread(Runnable task, String name) {
			super(null, task, name, 0, false);
		}

	}

}
