package dev.ratelimit.store.redis;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.util.RedisOutputStream;

/**
 * One way to send a call.
 *
 * @param call the call
 * @param node where to
 * @param asking whether the node only serves it when asked to, because the slot is on its
 * way there
 * @param withText whether the node has to be told the text of the script
 */
record Attempt(ScriptCall call, Node node, boolean asking, boolean withText) {

	private static final int WEIGHT_OF_TEXT = 16;

	private static final byte[] ONE_KEY = "1".getBytes(StandardCharsets.US_ASCII);

	static Attempt first(ScriptCall call, Node node) {
		return new Attempt(call, node, false, false);
	}

	Attempt withScriptText() {
		return new Attempt(this.call, this.node, this.asking, true);
	}

	Attempt movedTo(Node target) {
		return new Attempt(this.call, target, false, false);
	}

	Attempt askedAt(Node target) {
		return new Attempt(this.call, target, true, false);
	}

	/**
	 * What it counts for in a round trip: the text of a script is long.
	 * @return how many calls without text are as long
	 */
	int weight() {
		return this.withText ? WEIGHT_OF_TEXT : 1;
	}

	/**
	 * Write the command as Redis reads it.
	 * @param out where to
	 * @throws IOException if the connection is broken
	 */
	void writeTo(RedisOutputStream out) throws IOException {
		if (this.asking) {
			writeArrayOf(1, out);
			writeString(Command.ASKING.getRaw(), out);
		}
		Script script = this.call.script();
		List<byte[]> arguments = this.call.arguments();
		writeArrayOf(4 + arguments.size(), out);
		writeString((this.withText ? Command.EVAL : Command.EVALSHA).getRaw(), out);
		writeString(this.withText ? script.text() : script.sha(), out);
		writeString(ONE_KEY, out);
		writeString(this.call.key(), out);
		for (byte[] argument : arguments) {
			writeString(argument, out);
		}
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

}
