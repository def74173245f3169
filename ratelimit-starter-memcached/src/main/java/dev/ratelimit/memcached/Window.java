package dev.ratelimit.memcached;

import java.util.List;

import dev.ratelimit.memcached.meta.MetaCommands;
import dev.ratelimit.memcached.meta.MetaReply;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode.ModeKind;
import dev.ratelimit.store.Limit;

/**
 * A window of a client at one instant: the keys in which it is counted, and what their
 * counts mean.
 */
abstract sealed class Window permits AlignedWindow, FirstUseWindow {

	/** The receipt where a window counts nothing. */
	static final long NOT_COUNTED = 0;

	static final long SECOND_MICROS = 1_000_000;

	private final String start;

	private final Limit limit;

	private final int index;

	private final long nowMicros;

	/**
	 * Create a window.
	 * @param start the text with which all keys of the client under its rule begin
	 * @param limit the limit
	 * @param index the index of the threshold in {@link Limit#thresholds()}
	 * @param nowMicros the time, in microseconds since 1970
	 */
	Window(String start, Limit limit, int index, long nowMicros) {
		this.start = start;
		this.limit = limit;
		this.index = index;
		this.nowMicros = nowMicros;
	}

	/**
	 * A window as its limit is counted. Instances of a synced rule spend permits without
	 * a call, so they have to know in advance when a window ends; other fixed windows
	 * begin with their first use.
	 */
	static Window of(String start, Limit limit, int index, long nowMicros) {
		boolean slides = limit.algorithm() == Algorithm.SLIDING_WINDOW_COUNTER;
		return (slides || limit.mode().kind() == ModeKind.SYNCED) ? new AlignedWindow(start, limit, index, nowMicros)
				: new FirstUseWindow(start, limit, index, nowMicros);
	}

	final Limit limit() {
		return this.limit;
	}

	/** The index of its threshold. */
	final int index() {
		return this.index;
	}

	final long nowMicros() {
		return this.nowMicros;
	}

	final long nowSeconds() {
		return this.nowMicros / SECOND_MICROS;
	}

	final long windowMicros() {
		return this.limit.windowMicros(this.index);
	}

	final long windowSeconds() {
		return windowMicros() / SECOND_MICROS;
	}

	/**
	 * A key of this window.
	 * @param kind how the window is counted: a letter and the version of the schema, as
	 * two releases that run side by side must not mix their values
	 */
	final String key(String kind) {
		return this.start + kind + windowSeconds();
	}

	/** The number of replies, after counting, reading and deleting. */
	abstract int replies();

	/** Add the commands that count a cost. */
	abstract void count(MetaCommands commands, long cost);

	/** Add the commands that read. */
	abstract void read(MetaCommands commands);

	/** Add the commands that delete. */
	abstract void delete(MetaCommands commands);

	/**
	 * Add the commands that subtract a cost where a receipt says, unless that has passed.
	 */
	abstract void release(MetaCommands commands, long cost, long receipt);

	/** Whether nothing that a receipt names can be counted any more. */
	abstract boolean hasEnded(long receipt);

	/**
	 * Interpret replies.
	 * @param replies as many as {@link #replies()}, to commands that ran
	 */
	abstract WindowState state(List<MetaReply> replies);

	/**
	 * Name the window for a release, after counting.
	 * @param replies as many as {@link #replies()}
	 * @return the receipt; {@link #NOT_COUNTED} if the cost was not counted
	 */
	abstract long receipt(List<MetaReply> replies);

	/** The count that a key has. */
	static long countOf(MetaReply reply) {
		return (reply instanceof MetaReply.Count counted) ? counted.count() : 0;
	}

}
