package dev.ratelimit.memcached;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

import dev.ratelimit.memcached.meta.MetaCall;
import dev.ratelimit.memcached.meta.MetaCommands;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.wire.NodeCall;

/**
 * The windows of a client under its limit, at one instant.
 *
 * @param start the text with which all their keys begin
 * @param windows one per threshold
 */
record ClientWindows(String start, List<Window> windows) {

	/**
	 * The windows at an instant.
	 * @param start the text with which all their keys begin
	 * @param limit the limit
	 * @param nowMicros the time, in microseconds since 1970
	 */
	static ClientWindows of(String start, Limit limit, long nowMicros) {
		List<Window> windows = new ArrayList<>(limit.size());
		for (int i = 0; i < limit.size(); i++) {
			windows.add(Window.of(start, limit, i, nowMicros));
		}
		return new ClientWindows(start, windows);
	}

	/**
	 * Create a call.
	 * @param adder adds the commands of each window
	 * @param afterwards is notified how the call ended, if no request waits any more
	 */
	MetaCall call(BiConsumer<Window, MetaCommands> adder, NodeCall.Afterwards afterwards) {
		MetaCommands commands = new MetaCommands();
		this.windows.forEach((window) -> adder.accept(window, commands));
		return new MetaCall(this.start, commands, afterwards);
	}

	/** Interpret the replies to a call. */
	WindowReplies read(NodeCall.CallState outcome) {
		return WindowReplies.of(this.windows, outcome);
	}

}
