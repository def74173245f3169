package dev.ratelimit.web.servlet.outcome;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.web.RequestOutcome;
import org.junit.jupiter.api.Test;

import org.springframework.mock.web.MockAsyncContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The two moments of a response, and their order. {@code OutcomeHandlersTests} and
 * {@code OutcomeCommitTests} show them in Tomcat.
 */
class OutcomeResponseTests {

	private final List<String> moments = new ArrayList<>();

	private final MockHttpServletRequest request = new MockHttpServletRequest();

	private final OutcomeResponse response = new OutcomeResponse(new MockHttpServletResponse(), new RequestOutcome(),
			new OutcomeListener() {

				@Override
				public void aboutToBeSent(int status) {
					OutcomeResponseTests.this.moments.add("about to be sent " + status);
				}

				@Override
				public void complete() {
					OutcomeResponseTests.this.moments.add("complete");
				}

			});

	@Test
	void aResponseIsSentAndCompleteWhenTheChainHasReturned() {
		this.response.setStatus(404);
		this.response.returned(this.request);
		assertThat(this.moments).containsExactly("about to be sent 404", "complete");
	}

	@Test
	void aFlushedResponseIsNotCompleteYet() throws IOException {
		this.response.flushBuffer();
		assertThat(this.moments).containsExactly("about to be sent 200");
		this.response.getOutputStream().write(1);
		this.response.returned(this.request);
		assertThat(this.moments).containsExactly("about to be sent 200", "complete");
	}

	@Test
	void aChainThatThrowsCompletesItsResponse() {
		this.response.failed();
		assertThat(this.moments).containsExactly("about to be sent 500", "complete");
	}

	@Test
	void asynchronousWorkCompletesItsResponse() throws IOException {
		this.request.setAsyncSupported(true);
		MockAsyncContext work = (MockAsyncContext) this.request.startAsync();
		this.response.returned(this.request);
		assertThat(this.moments).isEmpty();
		work.complete();
		assertThat(this.moments).containsExactly("about to be sent 200", "complete");
	}

}
