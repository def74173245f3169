package dev.ratelimit.store.redis.datacenter;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.redis.resp.ScriptCall;
import dev.ratelimit.store.wire.NodeCall;

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
	ScriptCall message(PooledSubject subject, String peer) {
		List<byte[]> arguments = new ArrayList<>();
		arguments.add(PooledLimits.ascii(peer));
		arguments.addAll(this.limits.windows(subject.limit()));
		return new ScriptCall(this.scripts.message(), key(subject), arguments, NodeCall.Afterwards.NOTHING);
	}

	/** Stores a message of this data centre in the Redis of another one. */
	ScriptCall send(PooledSubject subject, PoolMessage message) {
		return exchange(subject, this.here, message);
	}

	/** Stores the reply of another data centre in the Redis here. */
	ScriptCall store(PooledSubject subject, String peer, PoolMessage reply) {
		return exchange(subject, peer, reply);
	}

	private ScriptCall exchange(PooledSubject subject, String from, PoolMessage message) {
		List<byte[]> windows = this.limits.windows(subject.limit());
		List<byte[]> arguments = new ArrayList<>();
		arguments.add(PooledLimits.ascii(from));
		arguments.add(PooledLimits.SLACK_MILLIS);
		for (int i = 0; i < Math.min(windows.size(), message.windows().size()); i++) {
			arguments.add(windows.get(i));
			message.windows().get(i).forEach((number) -> arguments.add(PooledLimits.number(number)));
		}
		return new ScriptCall(this.scripts.exchange(), key(subject), arguments, NodeCall.Afterwards.NOTHING);
	}

	private byte[] key(PooledSubject subject) {
		return this.keys.apply(subject.limit(), subject.subject());
	}

	ScriptCall reset(PooledSubject subject) {
		return new ScriptCall(this.scripts.reset(), key(subject), List.of(), NodeCall.Afterwards.NOTHING);
	}

}
