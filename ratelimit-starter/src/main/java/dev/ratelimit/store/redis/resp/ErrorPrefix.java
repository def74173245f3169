package dev.ratelimit.store.redis.resp;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.store.StoreFailure;

/**
 * The words with which errors of Redis begin, and what each of them means. Others mean
 * {@link StoreFailure#ERROR}. {@code NOSCRIPT} is no failure: the text of the script
 * follows; nor are {@code MOVED} and {@code ASK}, unless they lead round in a circle.
 */
enum ErrorPrefix {

	/** Somebody else's script runs for too long. */
	BUSY(StoreFailure.UNAVAILABLE, false),

	/** Nobody serves this slot, or a majority of the cluster is gone. */
	CLUSTERDOWN(StoreFailure.UNAVAILABLE, false),

	/** It has only just started. */
	LOADING(StoreFailure.UNAVAILABLE, false),

	/** A replica that has lost its master. */
	MASTERDOWN(StoreFailure.UNAVAILABLE, true),

	/** It cannot write snapshots, and takes nothing that would not be in them. */
	MISCONF(StoreFailure.UNAVAILABLE, false),

	/** A master that has lost its replicas. */
	NOREPLICAS(StoreFailure.UNAVAILABLE, false),

	/** Out of memory. */
	OOM(StoreFailure.UNAVAILABLE, false),

	/** A master that has become a replica. */
	READONLY(StoreFailure.UNAVAILABLE, true),

	/** Half of the keys of a command are on their way to another node. */
	TRYAGAIN(StoreFailure.UNAVAILABLE, false),

	/** A script that runs for ever has written already. */
	UNKILLABLE(StoreFailure.UNAVAILABLE, false),

	/** No password was given, but one is needed by now. */
	NOAUTH(StoreFailure.NOT_PERMITTED, true),

	/** The user lacks a right. */
	NOPERM(StoreFailure.NOT_PERMITTED, false),

	/** The password is wrong. */
	WRONGPASS(StoreFailure.NOT_PERMITTED, true);

	private static final Map<String, ErrorPrefix> BY_NAME = Stream.of(values())
		.collect(Collectors.toUnmodifiableMap(ErrorPrefix::name, Function.identity()));

	private final StoreFailure failure;

	private final boolean endsConnection;

	ErrorPrefix(StoreFailure failure, boolean endsConnection) {
		this.failure = failure;
		this.endsConnection = endsConnection;
	}

	static Optional<ErrorPrefix> of(String word) {
		return Optional.ofNullable(BY_NAME.get(word));
	}

	StoreFailure failure() {
		return this.failure;
	}

	/**
	 * Whether this server will not serve us again over this connection: over another one
	 * we may log in anew, or reach the server that has its name by now.
	 * @return whether to close the connection
	 */
	boolean endsConnection() {
		return this.endsConnection;
	}

}
