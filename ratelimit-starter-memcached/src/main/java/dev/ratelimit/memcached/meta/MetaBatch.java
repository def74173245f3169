package dev.ratelimit.memcached.meta;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import dev.ratelimit.store.wire.Command;
import dev.ratelimit.store.wire.ErrorReply;
import dev.ratelimit.store.wire.NodeCall;

/**
 * Calls that are sent one after the other, followed by one {@code mn}. Other clients may
 * be served between them.
 */
final class MetaBatch implements Command {

	private static final byte[] END = "mn\r\n".getBytes(StandardCharsets.US_ASCII);

	static final int END_BYTES = END.length;

	/** The most calls that share an end: their requests wait for each other's replies. */
	static final int MOST_CALLS = 64;

	private final List<MetaCall> calls;

	MetaBatch(MetaCall call, int expected) {
		this.calls = new ArrayList<>(Math.min(expected, MOST_CALLS));
		this.calls.add(call);
	}

	@Override
	public boolean add(NodeCall call, boolean keysApart) {
		return this.calls.size() < MOST_CALLS && call instanceof MetaCall other && this.calls.add(other);
	}

	@Override
	public List<MetaCall> calls() {
		return this.calls;
	}

	@Override
	public boolean skipReply() {
		return false;
	}

	void writeTo(OutputStream out) throws IOException {
		for (MetaCall call : this.calls) {
			call.writeTo(out);
		}
		out.write(END);
	}

	@Override
	public List<Object> repliesFrom(Object reply) {
		if (!(reply instanceof List<?> all) || all.size() != expectedReplies()) {
			Object error = (reply instanceof ErrorReply) ? reply
					: MetaErrors.garbled("Memcached did not reply once to each command: " + reply);
			return Collections.nCopies(this.calls.size(), error);
		}
		List<Object> replies = new ArrayList<>(this.calls.size());
		int from = 0;
		for (MetaCall call : this.calls) {
			List<?> ofCall = all.subList(from, from + call.replies());
			replies.add(allNotRun(ofCall) ? ((MetaReply.NotRun) ofCall.get(0)).error() : ofCall);
			from += call.replies();
		}
		return replies;
	}

	private int expectedReplies() {
		int expected = 0;
		for (MetaCall call : this.calls) {
			expected += call.replies();
		}
		return expected;
	}

	private static boolean allNotRun(List<?> replies) {
		for (int i = 0; i < replies.size(); i++) {
			if (!(replies.get(i) instanceof MetaReply.NotRun)) {
				return false;
			}
		}
		return !replies.isEmpty();
	}

}
