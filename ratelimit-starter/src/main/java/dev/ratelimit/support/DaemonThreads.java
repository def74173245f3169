package dev.ratelimit.support;

import java.util.concurrent.ThreadFactory;

/**
 * Creates the threads of the limiter. They do not keep the JVM alive, and they do not
 * keep a web application's class loader from being collected, whichever thread starts
 * them: they inherit no thread locals.
 */
public final class DaemonThreads {

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

	private static final class DaemonThread extends Thread {

		DaemonThread(Runnable task, String name) {
			super(null, task, name, 0, false);
		}

	}

}
