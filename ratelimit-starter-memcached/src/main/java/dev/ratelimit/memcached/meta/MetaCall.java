package dev.ratelimit.memcached.meta;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

import dev.ratelimit.store.wire.Command;
import dev.ratelimit.store.wire.ErrorReply;
import dev.ratelimit.store.wire.NodeCall;
import org.jspecify.annotations.Nullable;

/**
 * What one decision sends to one server: meta commands on keys that all begin with the
 * same text, which determines the server. The reply is a list of {@link MetaReply}, one
 * per command. It is an error only if no command ran.
 */
public final class MetaCall extends NodeCall {

	private final String start;

	private final byte[] commands;

	private final int replies;

	/**
	 * Create a call. One without commands is answered at once, and needs no server.
	 * @param start the text with which all its keys begin
	 * @param commands the commands; not to be changed
	 * @param afterwards is notified how the call ended, if no request waits any more
	 */
	public MetaCall(String start, MetaCommands commands, Afterwards afterwards) {
		super(afterwards);
		this.start = start;
		this.commands = commands.bytes();
		this.replies = commands.count();
		if (this.replies == 0) {
			replied(List.of());
		}
	}

	@Override
	public byte[] key() {
		return this.start.getBytes(StandardCharsets.UTF_8);
	}

	@Override
	protected int bytes() {
		return this.commands.length + MetaBatch.END_BYTES;
	}

	@Override
	protected int weight() {
		return 1;
	}

	@Override
	protected Command command(int expected) {
		return new MetaBatch(this, expected);
	}

	/** Memcached refers no call to another server, and what failed once fails again. */
	@Override
	protected @Nullable String retry(ErrorReply error, String from) {
		return null;
	}

	/** The number of commands. */
	int replies() {
		return this.replies;
	}

	void writeTo(OutputStream out) throws IOException {
		out.write(this.commands);
	}

}
