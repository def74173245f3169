package dev.ratelimit.store.redis;

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

}
