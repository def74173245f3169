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
 * The endpoint over HTTP, which checks the caller and maps every error to a status.
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
	 * @param roles the roles that may see them when authorized; if empty, every
	 * authenticated caller may
	 */
	public RateLimitsEndpointWebExtension(RateLimitsEndpoint endpoint, Show showValues, Set<String> roles) {
		this.endpoint = endpoint;
		this.showValues = showValues;
		this.roles = Set.copyOf(roles);
	}

	/**
	 * Show one rule or one client of it, or explain a request.
	 * @param context the security context of the caller
	 * @param rule as {@link RateLimitsEndpoint#rule}
	 * @param method as {@link RateLimitsEndpoint#rule}
	 * @param path as {@link RateLimitsEndpoint#rule}
	 * @param key as {@link RateLimitsEndpoint#rule}
	 * @param ip as {@link RateLimitsEndpoint#rule}
	 * @param plan as {@link RateLimitsEndpoint#rule}
	 * @return the response
	 */
	@ReadOperation
	public WebEndpointResponse<OperationResponseBody> rule(SecurityContext context, @Selector String rule,
			@Nullable String method, @Nullable String path, @Nullable String key, @Nullable String ip,
			@Nullable String plan) {
		return answer(() -> this.endpoint.rule(rule, method, path, key, ip, plan, isShown(context)));
	}

	/**
	 * Show one client.
	 * @param context the security context of the caller
	 * @param rule the id of the rule
	 * @param hash the hash of the client
	 * @param plan the plan of the client
	 * @return the response
	 */
	@ReadOperation
	public WebEndpointResponse<OperationResponseBody> client(SecurityContext context, @Selector String rule,
			@Selector String hash, @Nullable String plan) {
		return answer(() -> this.endpoint.client(rule, hash, plan, isShown(context)));
	}

	/**
	 * Reset a client, so it has the whole limit again: at once on this instance, and on
	 * others when their cached refusals, leases or synced counters expire.
	 * @param context the security context of the caller, for the audit
	 * @param rule the id of the rule
	 * @param hash the hash of the client
	 * @return the response, without a body if the client was reset
	 */
	@DeleteOperation
	public WebEndpointResponse<OperationResponseBody> reset(SecurityContext context, @Selector String rule,
			@Selector String hash) {
		return done(() -> this.endpoint.reset(rule, hash, context));
	}

	/**
	 * Reset a client that is identified by its key or address.
	 * @param context the security context of the caller, for the audit
	 * @param rule the id of the rule
	 * @param key as {@link RateLimitsEndpoint#rule}
	 * @param ip as {@link RateLimitsEndpoint#rule}
	 * @return the response, without a body if the client was reset
	 */
	@DeleteOperation
	public WebEndpointResponse<OperationResponseBody> resetByKey(SecurityContext context, @Selector String rule,
			@Nullable String key, @Nullable String ip) {
		return done(() -> this.endpoint.resetByKey(rule, key, ip, context));
	}

	/**
	 * Retry a dead letter. It is enqueued behind the other requests of its key, with as
	 * many attempts as a new request.
	 * @param rule the id of the rule
	 * @param id the id of the request
	 * @return the response, without a body if the request is in the queue again
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
	 * The error of a failed operation.
	 *
	 * @param error the reason and the cure
	 */
	public record ErrorDescriptor(String error) implements OperationResponseBody {
	}

}
