package dev.ratelimit.store.redis.resp;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

import dev.ratelimit.store.wire.Command;
import dev.ratelimit.store.wire.ErrorReply;
import dev.ratelimit.store.wire.NodeCall;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.RedisOutputStream;

/**
 * One command for a node, which has one reply. It carries one call, or several calls of
 * one script. Redis decides those in their order and reads the time once for all of them.
 * Each call gets the result it would have got alone.
 */
final class ScriptCommand implements Command {

	/**
	 * The most calls that share a command. Other clients wait for Redis while it runs.
	 */
	static final int MAX_CALLS = 64;

	/**
	 * Marks the arguments of a limit, sent before their number where they differ from
	 * those of the call before.
	 */
	private static final byte[] LIMIT = {};

	private final List<ScriptCall> calls;

	private int keys;

	/** Besides the number of keys; of several calls. */
	private int arguments;

	private boolean withText;

	private boolean asked;

	/**
	 * Create a command.
	 * @param call its first call
	 * @param expected how many calls it may come to have
	 */
	ScriptCommand(ScriptCall call, int expected) {
		this.calls = new ArrayList<>(expected);
		take(call);
	}

	@Override
	public boolean add(NodeCall call, boolean keysApart) {
		boolean takes = call instanceof ScriptCall other && canTake(other, keysApart);
		if (takes) {
			take((ScriptCall) call);
		}
		return takes;
	}

	private void take(ScriptCall call) {
		this.calls.add(call);
		this.keys += call.keys().size();
		this.arguments += call.arguments().size();
		if (!isOfLimitBefore(this.calls.size() - 1)) {
			this.arguments += 2 + call.limit().size();
		}
		this.withText |= call.withText();
	}

	private boolean canTake(ScriptCall call, boolean keysApart) {
		ScriptCall first = this.calls.get(0);
		return first.script() == call.script() && first.script().decidesManyKeys() && !first.asking() && !call.asking()
				&& this.calls.size() < MAX_CALLS && (!keysApart || Arrays.equals(first.key(), call.key()));
	}

	@Override
	public List<ScriptCall> calls() {
		return this.calls;
	}

	private boolean isAsking() {
		return this.calls.get(0).asking();
	}

	/** If {@code ASKING} is refused, the call behind it is refused too. */
	@Override
	public boolean skipReply() {
		boolean skips = isAsking() && !this.asked;
		this.asked = true;
		return skips;
	}

	/**
	 * Write the command in Redis' protocol.
	 * @param out the stream to write to
	 * @throws IOException if the connection is broken
	 */
	void writeTo(RedisOutputStream out) throws IOException {
		if (isAsking()) {
			writeArrayOf(1, out);
			writeString(Protocol.Command.ASKING.getRaw(), out);
		}
		Script script = this.calls.get(0).script();
		writeArrayOf(3 + this.keys + countArguments(), out);
		writeString((this.withText ? Protocol.Command.EVAL : Protocol.Command.EVALSHA).getRaw(), out);
		writeString(this.withText ? script.text() : script.sha(), out);
		writeNumber(this.keys, out);
		for (int i = 0; i < this.calls.size(); i++) {
			writeAll(call(i).keys(), out);
		}
		if (this.calls.size() == 1) {
			writeAll(call(0).arguments(), out);
			writeAll(call(0).limit(), out);
		}
		else {
			writeArgumentsPerKey(out);
		}
	}

	private ScriptCall call(int index) {
		return this.calls.get(index);
	}

	/** A single call needs no marker of its limit. */
	private int countArguments() {
		return (this.calls.size() == 1) ? this.arguments - 2 : this.arguments;
	}

	private void writeArgumentsPerKey(RedisOutputStream out) throws IOException {
		for (int i = 0; i < this.calls.size(); i++) {
			if (!isOfLimitBefore(i)) {
				writeString(LIMIT, out);
				writeNumber(call(i).limit().size(), out);
				writeAll(call(i).limit(), out);
			}
			writeAll(call(i).arguments(), out);
		}
	}

	/** The arguments of a limit are created once, so equal limits are the same object. */
	private boolean isOfLimitBefore(int index) {
		return index > 0 && call(index).limit() == call(index - 1).limit();
	}

	private static void writeAll(List<byte[]> arguments, RedisOutputStream out) throws IOException {
		for (int i = 0; i < arguments.size(); i++) {
			writeString(arguments.get(i), out);
		}
	}

	private static void writeNumber(int number, RedisOutputStream out) throws IOException {
		out.write((byte) '$');
		out.writeIntCrLf(digits(number));
		out.writeIntCrLf(number);
	}

	private static int digits(int number) {
		int digits = 1;
		for (int rest = number; rest >= 10; rest /= 10) {
			digits++;
		}
		return digits;
	}

	private static void writeArrayOf(int size, RedisOutputStream out) throws IOException {
		out.write((byte) '*');
		out.writeIntCrLf(size);
	}

	private static void writeString(byte[] bytes, RedisOutputStream out) throws IOException {
		out.write((byte) '$');
		out.writeIntCrLf(bytes.length);
		out.write(bytes);
		out.writeCrLf();
	}

	private boolean isOnOneKey() {
		return this.calls.stream().allMatch((call) -> Arrays.equals(call.key(), call(0).key()));
	}

	@Override
	public List<Object> repliesFrom(Object reply) {
		if (reply instanceof ErrorReply error) {
			return Collections.nCopies(this.calls.size(), isOnOneKey() ? error : RespErrors.ofSeveralKeys(error));
		}
		if (this.calls.size() == 1) {
			return List.of(reply);
		}
		List<?> all = (reply instanceof List<?> list) ? list : List.of();
		List<Object> replies = new ArrayList<>(this.calls.size());
		int at = 0;
		for (int i = 0; i < this.calls.size(); i++) {
			Object first = (at < all.size()) ? all.get(at) : 0L;
			at++;
			if (first instanceof JedisDataException error) {
				replies.add(RespErrors.reply(error));
			}
			else {
				// A reply of another form is read in the same way.
				int end = (int) Math.min(all.size(), at + ((first instanceof Long size && size > 0) ? size : 0));
				replies.add(all.subList(Math.min(at, end), end));
				at = end;
			}
		}
		return replies;
	}

}
