package dev.ratelimit.openapi;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.rule.HttpMethods;
import dev.ratelimit.rule.OnStoreFailure;
import dev.ratelimit.web.RateLimitHeaders;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.media.ArraySchema;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.IntegerSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.ObjectSchema;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;

import org.springframework.http.HttpHeaders;

/**
 * Documents the responses that limited operations may have. A response that the
 * application documents keeps all it has, and gets the headers that it lacks.
 */
public final class LimitedResponses {

	private static final String PROBLEM = "RateLimitProblem";

	private static final String QUEUED = "RateLimitQueued";

	private static final int UNAVAILABLE = 503;

	private final List<String> headers;

	private final boolean epochSeconds;

	private final boolean problems;

	/**
	 * Create a documentation of responses.
	 * @param headers the names of the headers that the response to a request above a
	 * limit may have
	 * @param epochSeconds whether {@code X-RateLimit-Reset} is a time since 1970
	 * @param problems whether refusals are the problem details of the limiter
	 */
	public LimitedResponses(Collection<String> headers, boolean epochSeconds, boolean problems) {
		this.headers = List.copyOf(headers);
		this.epochSeconds = epochSeconds;
		this.problems = problems;
	}

	/** Whether responses disclose the policies of the rules, so that a document may. */
	boolean disclosePolicies() {
		return this.headers.contains(RateLimitHeaders.POLICY);
	}

	/** Add the responses of an operation, and the components that they refer to. */
	void addTo(Operation operation, String method, Collection<CompiledRule> rules, Components components) {
		if (operation.getResponses() == null) {
			operation.setResponses(new ApiResponses());
		}
		ApiResponses responses = operation.getResponses();
		if (HttpMethods.isUnsafe(method)
				&& rules.stream().anyMatch((rule) -> rule.config().enforcement().onLimit().isHandledLater())) {
			add(responses, "202", response("A rate limit is exceeded: the request is enqueued, and handled later",
					List.of(HttpHeaders.LOCATION), "application/json", QUEUED, components));
		}
		boolean mayDeny = rules.stream()
			.anyMatch((rule) -> rule.config().enforcement().onStoreFailure() == OnStoreFailure.DENY);
		Map<Integer, List<CompiledRule>> byStatus = rules.stream()
			.collect(Collectors.groupingBy((rule) -> rule.config().enforcement().refusal().status(), TreeMap::new,
					Collectors.toList()));
		byStatus.forEach((status, refusing) -> add(responses, status.toString(),
				exceeded(refusing, mayDeny && status == UNAVAILABLE, components)));
		if (mayDeny && !byStatus.containsKey(UNAVAILABLE)) {
			add(responses, Integer.toString(UNAVAILABLE),
					refusal("No rate limit is exceeded, but the request cannot be counted now",
							List.of(HttpHeaders.RETRY_AFTER), components));
		}
	}

	/** A rule may have a body of its own, about which only its content type is known. */
	private ApiResponse exceeded(Collection<CompiledRule> rules, boolean orDenied, Components components) {
		String description = orDenied ? "A rate limit is exceeded, or the request cannot be counted now"
				: "A rate limit is exceeded";
		boolean isProblem = orDenied
				|| rules.stream().anyMatch((rule) -> rule.config().enforcement().refusal().body().isEmpty());
		ApiResponse response = isProblem ? refusal(description, this.headers, components)
				: response(description, this.headers, components).content(new Content());
		rules.stream()
			.flatMap((rule) -> rule.config().enforcement().refusal().body().stream())
			.forEach((body) -> response.getContent().addMediaType(body.contentType(), new MediaType()));
		return response;
	}

	private ApiResponse refusal(String description, Collection<String> headers, Components components) {
		return this.problems ? response(description, headers, "application/problem+json", PROBLEM, components)
				: response(description, headers, components);
	}

	private ApiResponse response(String description, Collection<String> headers, String type, String schema,
			Components components) {
		if (components.getSchemas() == null || !components.getSchemas().containsKey(schema)) {
			components.addSchemas(schema, schema.equals(PROBLEM) ? problem() : queued());
		}
		return response(description, headers, components)
			.content(new Content().addMediaType(type, new MediaType().schema(new Schema<>().$ref(schema))));
	}

	private ApiResponse response(String description, Collection<String> headers, Components components) {
		ApiResponse response = new ApiResponse().description(description);
		for (String name : headers) {
			if (components.getHeaders() == null || !components.getHeaders().containsKey(name)) {
				components.addHeaders(name, header(name));
			}
			response.addHeaderObject(name, new Header().$ref(name));
		}
		return response;
	}

	/** Operations may share the instance of a response, so a copy gets the headers. */
	private static void add(ApiResponses responses, String status, ApiResponse ours) {
		ApiResponse theirs = responses.get(status);
		if (theirs == null) {
			responses.addApiResponse(status, ours);
		}
		else if (theirs.get$ref() == null) {
			Map<String, Header> known = (theirs.getHeaders() != null) ? theirs.getHeaders() : Map.of();
			ApiResponse both = new ApiResponse().description(theirs.getDescription())
				.content(theirs.getContent())
				.links(theirs.getLinks())
				.extensions(theirs.getExtensions());
			known.forEach(both::addHeaderObject);
			ours.getHeaders()
				.entrySet()
				.stream()
				.filter((header) -> known.keySet().stream().noneMatch(header.getKey()::equalsIgnoreCase))
				.forEach((header) -> both.addHeaderObject(header.getKey(), header.getValue()));
			responses.addApiResponse(status, both);
		}
	}

	private Header header(String name) {
		return switch (name) {
			case RateLimitHeaders.LIMIT -> header("The most that the tightest window admits at once", number());
			case RateLimitHeaders.REMAINING -> header("The permits that this window has left", number());
			case RateLimitHeaders.RESET ->
				header(this.epochSeconds ? "When all permits of this window are available again, in seconds since 1970"
						: "Seconds until all permits of this window are available again", number());
			case RateLimitHeaders.POLICY ->
				header("Every window of every rule that applies: q permits per w seconds", new StringSchema());
			case RateLimitHeaders.RATE_LIMIT -> header(
					"Every window of every rule that applies: r permits are left, more are available after t seconds",
					new StringSchema());
			case HttpHeaders.LOCATION -> header("The state of the request", new StringSchema().format("uri-reference"));
			default -> header("Seconds to wait before a retry; not sent if waiting cannot help", number());
		};
	}

	private static Header header(String description, Schema<?> schema) {
		return new Header().description(description).schema(schema);
	}

	private static Schema<?> number() {
		return new IntegerSchema().format("int64");
	}

	private static Schema<?> problem() {
		Schema<?> problem = new ObjectSchema().description("A refusal as a problem detail (RFC 9457)")
			.addProperty("type", new StringSchema().format("uri"))
			.addProperty("title", new StringSchema())
			.addProperty("status", new IntegerSchema())
			.addProperty("detail", new StringSchema().description("Which quota is exceeded, and when to retry"))
			.addProperty("limit", number().description("The limit of the window with the longest wait"))
			.addProperty("retry-after", number().description("Seconds to wait before a retry"))
			.addProperty("violated-policies", new ArraySchema().items(new StringSchema())
				.description("The windows that refuse, as RateLimit-Policy names them"));
		problem.setRequired(List.of("type", "title", "status", "detail", "violated-policies"));
		return problem;
	}

	private static Schema<?> queued() {
		Schema<?> queued = new ObjectSchema().description("The state of an enqueued request")
			.addProperty("id", new StringSchema())
			.addProperty("rule", new StringSchema())
			.addProperty("state", new StringSchema())
			.addProperty("attempts", new IntegerSchema());
		queued.setRequired(List.of("id", "rule", "state", "attempts"));
		return queued;
	}

}
