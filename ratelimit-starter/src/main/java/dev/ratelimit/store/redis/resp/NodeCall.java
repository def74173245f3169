package dev.ratelimit.store.redis.resp;

import org.jspecify.annotations.Nullable;

/**
 * One attempt to send a call to a node, and the reply to it. Used by one thread at a
 * time.
 */
final class NodeCall {

	private static final int WEIGHT_OF_TEXT = 16;

	private final ScriptCall call;

	private final Node node;

	private final boolean asking;

	private final boolean withText;

	private @Nullable Object reply;

	private NodeCall(ScriptCall call, Node node, boolean asking, boolean withText) {
		this.call = call;
		this.node = node;
		this.asking = asking;
		this.withText = withText;
	}

	static NodeCall first(ScriptCall call, Node node) {
		return new NodeCall(call, node, false, false);
	}

	NodeCall again() {
		return new NodeCall(this.call, this.node, this.asking, this.withText);
	}

	NodeCall withScriptText() {
		return new NodeCall(this.call, this.node, this.asking, true);
	}

	NodeCall movedTo(Node target) {
		return new NodeCall(this.call, target, false, false);
	}

	NodeCall askedAt(Node target) {
		return new NodeCall(this.call, target, true, false);
	}

	ScriptCall call() {
		return this.call;
	}

	/** The node it is sent to. */
	Node node() {
		return this.node;
	}

	/**
	 * Whether {@code ASKING} must precede the call, because its slot is being migrated to
	 * the node.
	 */
	boolean asking() {
		return this.asking;
	}

	/** Whether the text of the script has to be sent. */
	boolean withText() {
		return this.withText;
	}

	void replied(Object reply) {
		this.reply = reply;
	}

	/** The reply, which may be an error; {@code null} before it arrives. */
	@Nullable Object reply() {
		return this.reply;
	}

	/** The number of bytes to write; may be slightly high. */
	int bytes() {
		return this.call.bytes() + (this.withText ? this.call.script().text().length : 0);
	}

	/**
	 * The weight of the call in a batch: the text of a script is long.
	 * @return how many calls without text are as long
	 */
	int weight() {
		return this.withText ? WEIGHT_OF_TEXT : 1;
	}

}
