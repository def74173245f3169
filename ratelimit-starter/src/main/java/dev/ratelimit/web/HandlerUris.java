package dev.ratelimit.web;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;

/**
 * The patterns of MVC's handlers. Finds the handler that a request would have reached if
 * it had not been refused before: the most specific pattern that matches. Costs at most
 * as many comparisons as there are patterns with the same first segment.
 */
public final class HandlerUris {

	private final Map<String, List<HandlerUri>> bySegment = new HashMap<>();

	/** The handlers whose first segment is not literal. */
	private final List<HandlerUri> others;

	/**
	 * Index the patterns.
	 * @param handlers the handlers
	 */
	public HandlerUris(List<HandlerUri> handlers) {
		List<HandlerUri> sorted = new ArrayList<>(new LinkedHashSet<>(handlers));
		sorted.sort((one, other) -> one.pattern().compareTo(other.pattern()));
		this.others = sorted.stream().filter((uri) -> firstSegment(uri).isEmpty()).toList();
		for (HandlerUri uri : sorted) {
			String first = firstSegment(uri);
			if (!first.isEmpty()) {
				this.bySegment.computeIfAbsent(first, (segment) -> new ArrayList<>()).add(uri);
			}
		}
	}

	/** Empty if the segment may vary, or differs between spellings. */
	private static String firstSegment(HandlerUri uri) {
		String[] segments = uri.pattern().getPatternString().split("/", 3);
		boolean literal = segments.length > 1 && segments[1].matches("[A-Za-z0-9._-]+");
		return literal ? segments[1] : "";
	}

	/**
	 * Find the pattern of the handler of a request.
	 * @param path its path
	 * @param method its method
	 * @return the pattern; empty if no handler of a controller matches
	 */
	public Optional<String> find(PathContainer path, String method) {
		return first(this.bySegment.getOrDefault(firstSegment(path), List.of()), path, method)
			.or(() -> first(this.others, path, method));
	}

	private static String firstSegment(PathContainer path) {
		List<PathContainer.Element> elements = path.elements();
		return (elements.size() > 1 && elements.get(1) instanceof PathContainer.PathSegment segment)
				? segment.valueToMatch() : "";
	}

	private static Optional<String> first(List<HandlerUri> uris, PathContainer path, String method) {
		for (HandlerUri uri : uris) {
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
