package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Work beside the requests.
 */
final class Background {

	private static final Duration IDLE = Duration.ofSeconds(10);

	private Background() {
	}

	/**
	 * One daemon thread that does one task after the other, and ends while there are
	 * none.
	 * @param name its name
	 * @return the thread
	 */
	static ExecutorService thread(String name) {
		ThreadPoolExecutor executor = new ThreadPoolExecutor(1, 1, IDLE.toMillis(), TimeUnit.MILLISECONDS,
				new LinkedBlockingQueue<>(), (task) -> {
					Thread thread = new Thread(task, name);
					thread.setDaemon(true);
					// Whoever needs it first may do so with a web application's loader,
					// which the thread would keep from being collected.
					thread.setContextClassLoader(Background.class.getClassLoader());
					return thread;
				}, new ThreadPoolExecutor.DiscardPolicy());
		executor.allowCoreThreadTimeOut(true);
		return executor;
	}

}
