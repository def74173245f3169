package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiConsumer;

import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Several calls of one script as one command, which asks for the time once. Each learns
 * what it would have learnt alone, in the order of the calls.
 */
final class ManyCalls {

	/** So many share a command at most: others wait for Redis meanwhile. */
	static final int MAX = 64;

	/** The permit id and the cost, which are told for each key. */
	private static final int OWN_ARGUMENTS = 2;

	private static final byte[] AS_BEFORE = ascii(0);

	private final Script script;

	private final List<ScriptCall> calls;

	private ManyCalls(Script script, List<ScriptCall> calls) {
		this.script = script;
		this.calls = calls;
	}

	/**
	 * Combine calls.
	 * @param calls calls of one script, at most {@link #MAX} and all to one node; in a
	 * Cluster, with keys of one slot
	 * @return the calls
	 * @throws IllegalArgumentException if these cannot share a command
	 */
	static ManyCalls of(List<ScriptCall> calls) {
		if (calls.isEmpty() || calls.size() > MAX) {
			throw new IllegalArgumentException("1 to " + MAX + " calls share a command, not " + calls.size());
		}
		ScriptCall first = calls.get(0);
		if (!calls.stream().allMatch((call) -> canShare(first, call))) {
			throw new IllegalArgumentException("Calls of different scripts cannot share a command");
		}
		return new ManyCalls(first.script().many().orElseThrow(), List.copyOf(calls));
	}

	/**
	 * Tell whether two calls can share a command, as far as their scripts go.
	 * @param one a call
	 * @param other another one
	 * @return whether they call one script and it has a form for many keys
	 */
	static boolean canShare(ScriptCall one, ScriptCall other) {
		return one.script() == other.script() && one.script().many().isPresent();
	}

	/**
	 * What to send.
	 * @param withText whether the node has to be told the text of the script, as it has
	 * answered {@code NOSCRIPT}
	 * @return the command
	 */
	CommandArguments command(boolean withText) {
		CommandArguments command = withText ? new CommandArguments(Command.EVAL).add(this.script.text())
				: new CommandArguments(Command.EVALSHA).add(this.script.sha());
		command.add(ascii(this.calls.size()));
		this.calls.forEach((call) -> command.add(call.key()));
		List<byte[]> before = List.of();
		for (ScriptCall call : this.calls) {
			List<byte[]> arguments = call.arguments();
			addTo(command, arguments.subList(0, OWN_ARGUMENTS));
			if (sameLimit(arguments, before)) {
				command.add(AS_BEFORE);
			}
			else {
				command.add(ascii(arguments.size() - OWN_ARGUMENTS));
				addTo(command, arguments.subList(OWN_ARGUMENTS, arguments.size()));
			}
			before = arguments;
		}
		return command;
	}

	private static void addTo(CommandArguments command, List<byte[]> arguments) {
		for (byte[] argument : arguments) {
			command.add(argument);
		}
	}

	/** The arguments of a limit are made once, so they are the same objects. */
	private static boolean sameLimit(List<byte[]> arguments, List<byte[]> before) {
		boolean same = arguments.size() == before.size();
		for (int i = OWN_ARGUMENTS; same && i < arguments.size(); i++) {
			same = arguments.get(i) == before.get(i);
		}
		return same;
	}

	/**
	 * Give each call its part of the reply.
	 * @param reply the reply to the command, which is not an error
	 * @param onError is told which calls ended with an error, and with which
	 */
	void replied(Object reply, BiConsumer<ScriptCall, JedisDataException> onError) {
		List<?> replies = (reply instanceof List<?> list) ? list : List.of();
		for (int i = 0; i < this.calls.size(); i++) {
			ScriptCall call = this.calls.get(i);
			Object own = (i < replies.size()) ? replies.get(i) : List.of();
			if (own instanceof JedisDataException error) {
				onError.accept(call, error);
			}
			else {
				call.replied(own);
			}
		}
	}

	private static byte[] ascii(int number) {
		return Integer.toString(number).getBytes(StandardCharsets.US_ASCII);
	}

}
