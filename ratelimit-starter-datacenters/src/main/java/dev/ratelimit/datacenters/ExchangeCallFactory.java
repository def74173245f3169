package dev.ratelimit.datacenters;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

import dev.ratelimit.spi.RedisScripts.Invocation;
import dev.ratelimit.spi.RedisScripts.LoadedScript;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Subject;

/**
 * Makes the calls of an exchange. Tested by {@code SharedPoolsTests}.
 *
 * @param here the name of this data centre
 * @param scripts the scripts
 * @param limits the limits
 * @param keys finds the key of a client
 */
record ExchangeCallFactory(String here, PoolScripts scripts, PooledLimits limits,
		BiFunction<Limit, Subject, byte[]> keys) {

	/** Reads the message to another data centre. */
	Invocation message(PooledSubject subject, String peer) {
		List<byte[]> arguments = new ArrayList<>();
		arguments.add(PooledLimits.ascii(peer));
		arguments.addAll(this.limits.windows(subject.limit()));
		return call(this.scripts.message(), subject, arguments);
	}

	/** Stores a message of this data centre in the Redis of another one. */
	Invocation send(PooledSubject subject, PoolMessage message) {
		return exchange(subject, this.here, message);
	}

	/** Stores the reply of another data centre in the Redis here. */
	Invocation store(PooledSubject subject, String peer, PoolMessage reply) {
		return exchange(subject, peer, reply);
	}

	private Invocation exchange(PooledSubject subject, String from, PoolMessage message) {
		List<byte[]> windows = this.limits.windows(subject.limit());
		List<byte[]> arguments = new ArrayList<>();
		arguments.add(PooledLimits.ascii(from));
		arguments.add(PooledLimits.SLACK_MILLIS);
		for (int i = 0; i < Math.min(windows.size(), message.windows().size()); i++) {
			arguments.add(windows.get(i));
			message.windows().get(i).forEach((number) -> arguments.add(PooledLimits.number(number)));
		}
		return call(this.scripts.exchange(), subject, arguments);
	}

	private Invocation call(LoadedScript script, PooledSubject subject, List<byte[]> arguments) {
		return new Invocation(script, List.of(this.keys.apply(subject.limit(), subject.subject())), arguments);
	}

	Invocation reset(PooledSubject subject) {
		return call(this.scripts.reset(), subject, List.of());
	}

}
