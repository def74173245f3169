package dev.ratelimit.store.redis.resp;

import java.util.Optional;
import java.util.stream.Stream;

import dev.ratelimit.store.StoreFailure;

/**
 * The words with which errors of Redis begin, and their meanings. Other words mean
 * {@link StoreFailure#ERROR}. {@code NOSCRIPT} is no failure, as the text of the script
 * is sent next. {@code MOVED} and {@code ASK} are none either, unless they lead in a
 * circle.
 */
enum ErrorPrefix {

	/** A script of another client runs for too long. */
	BUSY(StoreFailure.UNAVAILABLE, false),

	/** The slot is not served, or a majority of the cluster is gone. */
	CLUSTERDOWN(StoreFailure.UNAVAILABLE, false),

	/** The server has only just started. */
	LOADING(StoreFailure.UNAVAILABLE, false),

	/** A replica that has lost its master. */
	MASTERDOWN(StoreFailure.UNAVAILABLE, true),

	/**
	 * The server cannot write snapshots, and refuses writes that a snapshot would miss.
	 */
	MISCONF(StoreFailure.UNAVAILABLE, false),

	/** A master that has lost its replicas. */
	NOREPLICAS(StoreFailure.UNAVAILABLE, false),

	/** The server is out of memory. */
	OOM(StoreFailure.UNAVAILABLE, false),

	/** A master that has become a replica. */
	READONLY(StoreFailure.UNAVAILABLE, true),

	/** Some keys of a command are being migrated to another node. */
	TRYAGAIN(StoreFailure.UNAVAILABLE, false),

	/** A script that runs for ever has already written. */
	UNKILLABLE(StoreFailure.UNAVAILABLE, false),

	/** No password was sent, but the server needs one by now. */
	NOAUTH(StoreFailure.NOT_PERMITTED, true),

	/** The user lacks a permission. */
	NOPERM(StoreFailure.NOT_PERMITTED, false),

	/** The password is wrong. */
	WRONGPASS(StoreFailure.NOT_PERMITTED, true);

	private final StoreFailure failure;

	private final boolean endsConnection;

	ErrorPrefix(StoreFailure failure, boolean endsConnection) {
		this.failure = failure;
		this.endsConnection = endsConnection;
	}

	static Optional<ErrorPrefix> of(String word) {
		return Stream.of(values()).filter((prefix) -> prefix.name().equals(word)).findFirst();
	}

	StoreFailure failure() {
		return this.failure;
	}

	/**
	 * Whether this server will refuse all further calls over this connection. Over
	 * another connection we may log in anew, or reach the server that has this name by
	 * now.
	 * @return whether to close the connection
	 */
	boolean endsConnection() {
		return this.endsConnection;
	}

}
