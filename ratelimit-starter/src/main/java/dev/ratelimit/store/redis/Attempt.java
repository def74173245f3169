package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;

import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;

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

	CommandArguments command() {
		Script script = this.call.script();
		CommandArguments command = this.withText ? new CommandArguments(Command.EVAL).add(script.text())
				: new CommandArguments(Command.EVALSHA).add(script.sha());
		command.add(ONE_KEY).add(this.call.key());
		for (byte[] argument : this.call.arguments()) {
			command.add(argument);
		}
		return command;
	}

}
