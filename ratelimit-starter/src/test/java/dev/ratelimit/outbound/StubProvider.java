package dev.ratelimit.outbound;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;

import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.mock.http.client.MockClientHttpRequest;
import org.springframework.mock.http.client.MockClientHttpResponse;

/**
 * All hosts: each responds as the test specifies.
 */
final class StubProvider implements ClientHttpRequestFactory {

	private final List<String> called = new ArrayList<>();

	private final MockClientHttpResponse refusal = new MockClientHttpResponse(new byte[0],
			HttpStatus.TOO_MANY_REQUESTS) {

		@Override
		public void close() {
			super.close();
			StubProvider.this.closed = true;
		}

	};

	private boolean closed;

	/** From now on it refuses, with this header. */
	void answer(String header, String value) {
		this.refusal.getHeaders().set(header, value);
	}

	/** Whether a response with which it refuses was closed. */
	boolean isClosed() {
		return this.closed;
	}

	List<String> called() {
		return this.called;
	}

	@Override
	public ClientHttpRequest createRequest(URI uri, HttpMethod method) {
		return new MockClientHttpRequest(method, uri) {

			@Override
			protected ClientHttpResponse executeInternal() {
				StubProvider.this.called.add(uri.toString());
				return StubProvider.this.refusal.getHeaders().isEmpty()
						? new MockClientHttpResponse(new byte[0], HttpStatus.OK) : StubProvider.this.refusal;
			}

		};
	}

}
