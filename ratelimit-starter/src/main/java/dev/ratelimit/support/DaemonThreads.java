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
		Thread thread = new Thread(null, task, name, 0, false);
		thread.setDaemon(true);
		thread.setContextClassLoader(DaemonThreads.class.getClassLoader());
		return thread;
	}

	/**
	 * The same for executors.
	 * @param name the name of all its threads
	 * @return a factory
	 */
	public static ThreadFactory factory(String name) {
		return (task) -> create(name, task);
	}

}
