package dev.ratelimit.store.wire;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.security.cert.CertificateException;

import dev.ratelimit.store.StoreFailure;

/**
 * Classifies what fails on the way to a server and back, by the chain of causes.
 */
public final class IoFailure {

	private IoFailure() {
	}

	/**
	 * Classify a failure.
	 * @param failure what failed
	 * @return what it means: {@link StoreFailure#ERROR} if it is no failure of a
	 * connection
	 */
	public static StoreFailure of(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof NoConnectionException none) {
				return none.failure();
			}
			if (cause instanceof SocketTimeoutException) {
				return StoreFailure.TIMEOUT;
			}
			if (cause instanceof InterruptedException) {
				return StoreFailure.OVERLOADED;
			}
			if (cause instanceof CertificateException) {
				// A server without a valid certificate may be any server.
				return StoreFailure.NOT_PERMITTED;
			}
		}
		return (failure instanceof IOException || failure instanceof UncheckedIOException) ? StoreFailure.UNREACHABLE
				: StoreFailure.ERROR;
	}

}
