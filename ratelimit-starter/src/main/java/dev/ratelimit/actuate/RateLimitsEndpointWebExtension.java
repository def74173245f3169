package dev.ratelimit.actuate;

import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/**
 * The endpoint over HTTP: knows who asks, and has a status for everything that can go
 * wrong.
 */
@EndpointWebExtension(endpoint = RateLimitsEndpoint.class)
public final class RateLimitsEndpointWebExtension {

	private final RateLimitsEndpoint endpoint;

	private final Show showValues;

	private final Set<String> roles;

	/**
	 * Create the extension.
	 * @param endpoint the endpoint
	 * @param showValues when addresses of clients are shown
	 * @param roles who is shown them when authorized; with none, everybody who is
	 * authenticated
	 */
	public RateLimitsEndpointWebExtension(RateLimitsEndpoint endpoint, Show showValues, Set<String> roles) {
		this.endpoint = endpoint;
		this.showValues = showValues;
		this.roles = Set.copyOf(roles);
	}

	/**
	 * Show one rule or one client of it, or explain a request.
	 * @param context who asks
	 * @param rule as {@link RateLimitsEndpoint#rule}
	 * @param method as {@link RateLimitsEndpoint#rule}
	 * @param path as {@link RateLimitsEndpoint#rule}
	 * @param key as {@link RateLimitsEndpoint#rule}
	 * @param ip as {@link RateLimitsEndpoint#rule}
	 * @param plan as {@link RateLimitsEndpoint#rule}
	 * @return the answer
	 */
	@ReadOperation
	public WebEndpointResponse<OperationResponseBody> rule(SecurityContext context, @Selector String rule,
			@Nullable String method, @Nullable String path, @Nullable String key, @Nullable String ip,
			@Nullable String plan) {
		return answer(() -> this.endpoint.rule(rule, method, path, key, ip, plan, isShown(context)));
	}

	/**
	 * Show one client.
	 * @param context who asks
	 * @param rule the id of the rule
	 * @param hash the hash that stands for the client
	 * @param plan the plan of the client
	 * @return the answer
	 */
	@ReadOperation
	public WebEndpointResponse<OperationResponseBody> client(SecurityContext context, @Selector String rule,
			@Selector String hash, @Nullable String plan) {
		return answer(() -> this.endpoint.client(rule, hash, plan, isShown(context)));
	}

	/**
	 * Forget a client, so that it has the whole limit again: at once on this instance, on
	 * others when what they remember, lease or synchronize is over.
	 * @param rule the id of the rule
	 * @param hash the hash that stands for the client
	 * @return the answer, without a body if it is forgotten
	 */
	@DeleteOperation
	public WebEndpointResponse<OperationResponseBody> reset(@Selector String rule, @Selector String hash) {
		return done(() -> this.endpoint.reset(rule, hash));
	}

	/**
	 * Forget a client that is named by what it is counted by.
	 * @param rule the id of the rule
	 * @param key as {@link RateLimitsEndpoint#rule}
	 * @param ip as {@link RateLimitsEndpoint#rule}
	 * @return the answer, without a body if it is forgotten
	 */
	@DeleteOperation
	public WebEndpointResponse<OperationResponseBody> resetByKey(@Selector String rule, @Nullable String key,
			@Nullable String ip) {
		return done(() -> this.endpoint.resetByKey(rule, key, ip));
	}

	/**
	 * Have a request tried again that was given up, behind the others of its key and as
	 * often as if it came now.
	 * @param rule the id of the rule
	 * @param id the id of the request
	 * @return the answer, without a body if it is in the queue again
	 */
	@WriteOperation
	public WebEndpointResponse<OperationResponseBody> retry(@Selector String rule, @Selector String id) {
		return done(() -> this.endpoint.retry(rule, id));
	}

	private boolean isShown(SecurityContext context) {
		return this.showValues.isShown(context, this.roles);
	}

	private static WebEndpointResponse<OperationResponseBody> done(Runnable work) {
		try {
			work.run();
			return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NO_CONTENT);
		}
		catch (OperatorException ex) {
			return refusal(ex);
		}
	}

	private static WebEndpointResponse<OperationResponseBody> answer(Supplier<OperationResponseBody> work) {
		try {
			return new WebEndpointResponse<>(work.get());
		}
		catch (OperatorException ex) {
			return refusal(ex);
		}
	}

	private static WebEndpointResponse<OperationResponseBody> refusal(OperatorException refusal) {
		return new WebEndpointResponse<>(new ErrorDescriptor(String.valueOf(refusal.getMessage())),
				switch (refusal.kind()) {
					case NOT_FOUND -> WebEndpointResponse.STATUS_NOT_FOUND;
					case BAD_REQUEST -> WebEndpointResponse.STATUS_BAD_REQUEST;
					case UNAVAILABLE -> WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE;
				});
	}

	/**
	 * Why something could not be done.
	 *
	 * @param error the reason, and the cure
	 */
	public record ErrorDescriptor(String error) implements OperationResponseBody {
	}

}
