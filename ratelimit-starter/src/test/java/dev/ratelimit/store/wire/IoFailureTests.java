package dev.ratelimit.store.wire;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.security.cert.CertificateException;

import javax.net.ssl.SSLHandshakeException;

import dev.ratelimit.store.StoreFailure;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What failures of a connection mean.
 */
class IoFailureTests {

	@Test
	void aLostConnectionIsClassifiedByItsCause() {
		assertThat(lost(new SocketTimeoutException("Read timed out"))).isEqualTo(StoreFailure.TIMEOUT);
		assertThat(lost(new ConnectException("refused"))).isEqualTo(StoreFailure.UNREACHABLE);
		assertThat(lost(new IOException("Unexpected end of stream"))).isEqualTo(StoreFailure.UNREACHABLE);
		SSLHandshakeException untrusted = new SSLHandshakeException("untrusted");
		untrusted.initCause(new CertificateException("unknown authority"));
		assertThat(lost(untrusted)).isEqualTo(StoreFailure.NOT_PERMITTED);
	}

	private static StoreFailure lost(IOException cause) {
		return IoFailure.of(new UncheckedIOException(cause));
	}

	@Test
	void aConnectionThatWasNotOpenedHasItsOwnFailure() {
		NoConnectionException none = new NoConnectionException(StoreFailure.EXHAUSTED, "in use", null);
		assertThat(IoFailure.of(new IllegalStateException(none))).isEqualTo(StoreFailure.EXHAUSTED);
	}

	@Test
	void anInterruptSaysNothingOfTheServer() {
		assertThat(IoFailure.of(new InterruptedException())).isEqualTo(StoreFailure.OVERLOADED);
	}

	@Test
	void anythingElseIsAnError() {
		assertThat(IoFailure.of(new IllegalArgumentException("?"))).isEqualTo(StoreFailure.ERROR);
	}

}
