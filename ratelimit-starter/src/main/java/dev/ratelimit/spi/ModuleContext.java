package dev.ratelimit.spi;

import java.time.Duration;
import java.util.OptionalInt;

import dev.ratelimit.store.LateReplyListener;
import dev.ratelimit.store.Subject;
import dev.ratelimit.support.Restartable;

/**
 * What a module may ask the limiter of an application. The starter declares a bean of it.
 */
public interface ModuleContext {

	/**
	 * The name of a bean that is there if the application may have rules. Without, a
	 * module must leave the application as it is.
	 */
	String RULES = "rateLimitStarterMaintenanceStart";

	/**
	 * Whether rules are enforced.
	 * @return {@code ratelimit.enabled}
	 */
	boolean isEnabled();

	/**
	 * How long a request may wait for a store.
	 * @return {@code ratelimit.deadline}
	 */
	Duration deadline();

	/**
	 * The number of instances that share the limits.
	 * @return {@code ratelimit.instances}; empty if they are counted
	 */
	OptionalInt instances();

	/**
	 * The start of every key in a shared store. Logs a warning if it is that of other
	 * applications too.
	 * @param store the store, as the warning names it
	 * @return 1 to 80 bytes without braces, blanks and control characters
	 */
	String keyPrefix(String store);

	/**
	 * The hash by which operators see a client.
	 * @param subject the client
	 * @return the hash, from which the key of the client cannot be found
	 */
	String hash(Subject subject);

	/**
	 * What a store of a module notifies of permits that it releases in the background.
	 * @return the listener, also before any bean that listens is created
	 */
	LateReplyListener lateReplies();

	/**
	 * End something while the application is stopped or paused, before all that was
	 * managed earlier, and start it again with the application.
	 * @param <T> its type
	 * @param part what has begun
	 * @return the same
	 */
	<T extends Restartable> T manage(T part);

}
