package dev.ratelimit.spi;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import dev.ratelimit.store.Limit;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Subject;
import dev.ratelimit.support.Restartable;
import org.jspecify.annotations.Nullable;

/**
 * Runs scripts of a module in a Redis, over connections of the limiter. Scripts of one
 * call that go to different nodes run at the same time. Safe for concurrent use. The
 * starter declares a bean of it where {@code ratelimit.store} is redis.
 */
public interface RedisScripts {

	/** The file of the starter that reads the time of Redis; it ends a script. */
	String CLOCK = "Clock.lua";

	/**
	 * The start of every key.
	 * @return {@code ratelimit.key-prefix}, or what stands for it by default
	 */
	String keyPrefix();

	/**
	 * A hash of what the keys of clients are made with.
	 * @return the same in all applications that count the same clients under the same
	 * keys
	 */
	String fingerprint();

	/**
	 * The key of a client of a limit, which is on the shard of the client.
	 * @param limit the limit
	 * @param subject the client
	 * @param format a letter and a digit that name the format of what is stored there
	 * @return the key; not to be changed
	 */
	byte[] key(Limit limit, Subject subject, String format);

	/**
	 * Load a script.
	 * @param files the files that it consists of, in order: names of files of the
	 * starter, or absolute paths on the class path
	 * @return the script
	 * @throws IllegalStateException if a file is missing
	 */
	LoadedScript load(String... files);

	/**
	 * Run scripts, and wait for their replies.
	 * @param calls the calls
	 * @param maxWait how long to wait for the replies, and before that, while Redis
	 * answers others, at most four times as long for a turn
	 * @return a reply to each call, in their order
	 */
	List<Reply> run(List<Invocation> calls, Duration maxWait);

	/**
	 * Run a script, and wait for its reply.
	 * @param call the call
	 * @param maxWait as for {@link #run(List, Duration)}
	 * @return the reply
	 */
	default Reply run(Invocation call, Duration maxWait) {
		return run(List.of(call), maxWait).get(0);
	}

	/**
	 * Run a script, and wait for nothing.
	 * @param call the call
	 * @param maxWait how long a reply is of use
	 */
	void start(Invocation call, Duration maxWait);

	/**
	 * Open connections to another Redis, which may be absent. The module that opens them
	 * starts and closes them.
	 * @param place where its settings stand
	 * @param location the settings
	 * @return scripts that run there
	 * @throws RulesNotEnforceableException if a setting names no Redis
	 */
	OpenedRedis open(String place, RedisLocation location);

	/** Connections that a module has opened, to be closed by it. */
	interface OpenedRedis extends RedisScripts, Restartable {

	}

	/** A script that was loaded. */
	interface LoadedScript {

	}

	/**
	 * One call of a script.
	 *
	 * @param script the script
	 * @param keys its keys, all in one slot of a Cluster; at least one
	 * @param arguments its arguments
	 * @param late receives a reply that came too late for the caller, on a thread that
	 * reads for others: it must neither wait nor throw
	 */
	record Invocation(LoadedScript script, List<byte[]> keys, List<byte[]> arguments, Optional<Consumer<Object>> late) {

		/**
		 * A call whose late reply is of no use.
		 * @param script the script
		 * @param keys its keys
		 * @param arguments its arguments
		 */
		public Invocation(LoadedScript script, List<byte[]> keys, List<byte[]> arguments) {
			this(script, keys, arguments, Optional.empty());
		}

	}

	/**
	 * What came of a call. A script must not return nil.
	 *
	 * @param value what the script returned: a {@code Long}, a {@code byte[]}, or a list
	 * of such; null if there is no reply
	 * @param failure why there is none; null if there is one
	 */
	record Reply(@Nullable Object value, @Nullable StoreFailure failure) {

		/**
		 * The list that the script returned.
		 * @return the list; empty if there is no reply, or another one
		 */
		public Optional<List<?>> list() {
			return (this.value instanceof List<?> list) ? Optional.of(list) : Optional.empty();
		}

		/**
		 * Whether there is a reply.
		 * @return whether the script ran to its end
		 */
		public boolean isReplied() {
			return this.value != null;
		}

	}

}
