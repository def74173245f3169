package dev.ratelimit.outbound;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitExceededException;
import dev.ratelimit.RateLimiter;

import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/**
 * Delays calls of a {@code RestClient}, of a {@code RestTemplate} and of HTTP interfaces
 * until their turn under a rule, on the calling thread. All instances together therefore
 * stay within a provider's limit. A call that cannot get its turn in time is not made and
 * throws {@link RateLimitExceededException}.
 * <p>
 * A response may request a pause by {@code Retry-After} of a 429 or 503,
 * {@code RateLimit}, or {@code X-RateLimit-Remaining} of 0. Then no turn is scheduled for
 * the same key for that time, on any instance, but for five minutes at most. Calls that
 * were already sent are not cancelled.
 * <p>
 * Calls to hosts that no rule covers cost a comparison per host. Other calls cost what
 * {@link RateLimiter#acquire} costs. Safe for concurrent use.
 */
public final class RateLimitInterceptor implements ClientHttpRequestInterceptor {

	private final RateLimiter limiter;

	private final List<LimitedCalls> limited;

	private final ProviderAnswer answer;

	RateLimitInterceptor(RateLimiter limiter, List<LimitedCalls> limited, InstantSource clock) {
		this.limiter = limiter;
		this.limited = List.copyOf(limited);
		this.answer = new ProviderAnswer(clock);
	}

	/**
	 * Start building an interceptor.
	 * @param limiter decides the calls
	 * @param clock converts dates in responses to waits
	 * @return a builder
	 */
	public static RateLimitInterceptorBuilder builder(RateLimiter limiter, InstantSource clock) {
		return new RateLimitInterceptorBuilder(limiter, clock);
	}

	@Override
	public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
			throws IOException {
		List<LimitedCalls> covering = this.limited.stream().filter((calls) -> calls.cover(request)).toList();
		for (LimitedCalls calls : covering) {
			awaitTurn(calls, request);
		}
		ClientHttpResponse response = execution.execute(request, body);
		if (!covering.isEmpty()) {
			try {
				learn(covering, request, response);
			}
			catch (RuntimeException | IOException ex) {
				response.close();
				throw ex;
			}
		}
		return response;
	}

	private void awaitTurn(LimitedCalls calls, HttpRequest request) throws IOException {
		RateLimitDecision decision;
		try {
			decision = this.limiter.acquire(calls.rule(), calls.key().apply(request), 1, calls.maxWait());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw (IOException) new InterruptedIOException(
					"Interrupted while waiting for a turn under rate limit '" + calls.rule() + "'")
				.initCause(ex);
		}
		if (!decision.isAllowed()) {
			throw new RateLimitExceededException("A call to " + HostPattern.hostOf(request.getURI())
					+ " was not made: rate limit '" + calls.rule() + "' has no turn for it within " + calls.maxWait(),
					List.of(decision), true);
		}
	}

	private void learn(List<LimitedCalls> covering, HttpRequest request, ClientHttpResponse response)
			throws IOException {
		Optional<Duration> pause = this.answer.pause(response.getStatusCode().value(), response.getHeaders());
		if (pause.isPresent()) {
			for (LimitedCalls calls : covering) {
				this.limiter.pause(calls.rule(), calls.key().apply(request), pause.get());
			}
		}
	}

}
