package dev.ratelimit.memcached;

import dev.ratelimit.store.Limit;

/**
 * A window of a client, at one instant.
 *
 * @param start the text with which all keys of the client under its rule begin
 * @param limit the limit
 * @param index the index of the threshold in {@link Limit#thresholds()}
 * @param nowMicros the time, in microseconds since 1970
 */
record Place(String start, Limit limit, int index, long nowMicros) {

	static final long SECOND_MICROS = 1_000_000;

	long windowMicros() {
		return this.limit.windowMicros(this.index);
	}

	long windowSeconds() {
		return windowMicros() / SECOND_MICROS;
	}

	/** The number of windows of this length since 1970. */
	long aligned() {
		return this.nowMicros / windowMicros();
	}

	long nowSeconds() {
		return this.nowMicros / SECOND_MICROS;
	}

	/**
	 * A key of this window.
	 * @param kind how the window is counted: a letter and the version of the schema, as
	 * two releases that run side by side must not mix their values
	 */
	String key(String kind) {
		return this.start + kind + windowSeconds();
	}

}
