package dev.ratelimit.web;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;

/**
 * The patterns of MVC's handlers. Finds the handler that a request would have reached if
 * it had not been refused before: the most specific pattern that matches. Costs at most
 * as many comparisons as there are patterns with the same first segment or a wildcard.
 */
public final class HandlerUris {

	private final PatternIndex<HandlerUri> index;

	/**
	 * Index the patterns.
	 * @param handlers the handlers
	 */
	public HandlerUris(List<HandlerUri> handlers) {
		List<HandlerUri> sorted = handlers.stream()
			.distinct()
			.sorted(Comparator.comparing(HandlerUri::pattern))
			.toList();
		this.index = new PatternIndex<>(sorted, HandlerUri::pattern, true);
	}

	/**
	 * Find the pattern of the handler of a request.
	 * @param path its path
	 * @param method its method
	 * @return the pattern; empty if no handler of a controller matches
	 */
	public Optional<String> find(PathContainer path, String method) {
		for (HandlerUri uri : this.index.find(path)) {
			if (uri.takes(method) && uri.pattern().matches(path)) {
				return Optional.of(uri.pattern().getPatternString());
			}
		}
		return Optional.empty();
	}

	/**
	 * The pattern and the methods of a handler.
	 *
	 * @param pattern one of its patterns
	 * @param methods the methods that it takes; none means every method
	 */
	public record HandlerUri(PathPattern pattern, Set<String> methods) {

		public HandlerUri {
			methods = Set.copyOf(methods);
		}

		boolean takes(String method) {
			return this.methods.isEmpty() || this.methods.contains(method)
					|| (method.equals("HEAD") && this.methods.contains("GET"));
		}

	}

}
