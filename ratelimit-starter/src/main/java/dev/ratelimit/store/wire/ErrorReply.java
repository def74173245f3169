package dev.ratelimit.store.wire;

import dev.ratelimit.store.StoreFailure;

/**
 * An error that a node replied.
 *
 * @param failure what it means
 * @param mayHaveRun whether the call may have taken effect before it failed
 * @param keysApart whether the node refuses commands on several keys
 * @param endsConnection whether the node will refuse all further calls over this
 * connection, or its replies can no longer be assigned to them. Over another one we may
 * log in anew, or reach the server that has this name by now
 * @param cause the error as the driver has read it
 */
public record ErrorReply(StoreFailure failure, boolean mayHaveRun, boolean keysApart, boolean endsConnection,
		RuntimeException cause) {

	static boolean endsConnection(Object reply) {
		return reply instanceof ErrorReply error && error.endsConnection();
	}

}
