package dev.ratelimit.actuate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.actuate.descriptor.ClientDescriptor;
import dev.ratelimit.actuate.descriptor.ExplanationDescriptor;
import dev.ratelimit.actuate.descriptor.ExplanationDescriptor.ExplainedRule;
import dev.ratelimit.rule.HttpMethods;
import dev.ratelimit.web.DescribedRequest;
import dev.ratelimit.web.Explained;
import dev.ratelimit.web.RequestExplainer;
import org.jspecify.annotations.Nullable;

/**
 * Explains a request that an operator describes; acquires no permits.
 */
public final class ExplainOperation {

	private final Optional<RequestExplainer> explainer;

	private final ClientOperations clients;

	private final boolean enabled;

	/**
	 * Create the operation.
	 * @param explainer determines which rules apply; empty if no requests are served
	 * @param clients inspects the clients that the rules would count
	 * @param enabled whether rules are enforced at all
	 */
	public ExplainOperation(Optional<RequestExplainer> explainer, ClientOperations clients, boolean enabled) {
		this.explainer = explainer;
		this.clients = clients;
		this.enabled = enabled;
	}

	/** The requests that each rule has matched; none if no requests are served. */
	Map<String, Long> matched() {
		return this.explainer.map(RequestExplainer::matched).orElse(Map.of());
	}

	ExplanationDescriptor explain(@Nullable String method, @Nullable String path, @Nullable String key,
			@Nullable String ip, @Nullable String plan, boolean showValues) {
		RequestExplainer explainer = this.explainer.orElseThrow(
				() -> OperatorException.badRequest("This application serves no requests that rules may match"));
		if (path == null || !path.startsWith("/")) {
			throw OperatorException.badRequest(
					"Describe a request: ?path= is its path within the application and begins with a slash, ?method= [GET], "
							+ "?key= and ?ip= say which client it is from, ?plan= its plan");
		}
		if (ip != null) {
			ClientOperations.requireAddress(ip);
		}
		int query = path.indexOf('?');
		DescribedRequest request = new DescribedRequest((method != null) ? HttpMethods.named(method) : "GET",
				(query < 0) ? path : path.substring(0, query), Optional.ofNullable(key), Optional.ofNullable(ip),
				Optional.ofNullable(plan));
		return new ExplanationDescriptor(this.enabled, request.method(), request.path(),
				describe(explainer.explain(request), showValues));
	}

	private List<ExplainedRule> describe(List<Explained> all, boolean showValues) {
		List<ExplainedRule> rules = new ArrayList<>(all.size());
		Optional<String> error = Optional.empty();
		for (Explained one : all) {
			Optional<ClientDescriptor> client = Optional.empty();
			// After one failure the store is not called again, so the operator waits only
			// once.
			if (one.ruleRequest().isPresent() && error.isEmpty()) {
				try {
					client = Optional.of(this.clients.inspect(one.ruleRequest().get(), showValues));
				}
				catch (OperatorException ex) {
					error = Optional.ofNullable(ex.getMessage());
				}
			}
			rules.add(ExplainedRule.of(one, client, one.ruleRequest().isPresent() ? error : Optional.empty()));
		}
		return rules;
	}

}
