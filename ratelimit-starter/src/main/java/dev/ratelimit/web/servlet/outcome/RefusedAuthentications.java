package dev.ratelimit.web.servlet.outcome;

import org.jspecify.annotations.Nullable;

/**
 * Relates authentications that Spring Security refuses to the request that the calling
 * thread serves. A failed form login is answered with a redirect, which has the same
 * status as a success. Tested by {@code OutcomeSecurityTests}.
 */
public final class RefusedAuthentications {

	private static final ThreadLocal<@Nullable Runnable> WATCHER = new ThreadLocal<>();

	private RefusedAuthentications() {
	}

	/**
	 * Watch this thread from now on.
	 * @param watcher is run for each authentication that is refused
	 * @return the watch, to be closed at its end
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

	/** Report that an authentication was refused on this thread. */
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
