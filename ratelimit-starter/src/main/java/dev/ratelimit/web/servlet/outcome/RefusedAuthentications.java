package dev.ratelimit.web.servlet.outcome;

import org.jspecify.annotations.Nullable;

/**
 * Matches authentications that Spring Security refuses to the request that the calling
 * thread serves: a failed form login is answered with a redirect, whose status is that of
 * a success.
 */
public final class RefusedAuthentications {

	private static final ThreadLocal<@Nullable Runnable> WATCHER = new ThreadLocal<>();

	private RefusedAuthentications() {
	}

	/**
	 * Watch what happens on this thread from now on.
	 * @param watcher is run for each authentication that is refused
	 * @return ends the watch
	 */
	public static Watch watch(Runnable watcher) {
		Runnable before = WATCHER.get();
		WATCHER.set(watcher);
		return () -> {
			if (before != null) {
				WATCHER.set(before);
			}
			else {
				WATCHER.remove();
			}
		};
	}

	/** An authentication was refused on this thread. */
	public static void refused() {
		Runnable watcher = WATCHER.get();
		if (watcher != null) {
			watcher.run();
		}
	}

	/** A watch that lasts until it is closed. */
	@FunctionalInterface
	public interface Watch extends AutoCloseable {

		@Override
		void close();

	}

}
