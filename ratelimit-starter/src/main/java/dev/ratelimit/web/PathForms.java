package dev.ratelimit.web;

import java.util.List;
import java.util.stream.Stream;

import org.springframework.http.server.PathContainer;

/**
 * The forms of the path of one request. There are several for a servlet that is not
 * MVC's, which the container may find by another form than the one the client wrote, and
 * for a WebSocket endpoint, which a filter finds. Tested by {@code RequestDeciderTests}.
 *
 * @param served the path that the request is served by
 * @param others the forms that it may be found by, too, where the container reads the
 * path differently from the patterns of rules
 * @param server what serves it
 */
public record PathForms(PathContainer served, List<PathContainer> others, Server server) {

	public PathForms {
		others = List.copyOf(others);
	}

	private static final PathContainer.Options UNDECODED = PathContainer.Options.create('/', false);

	private static final PathContainer ROOT = PathContainer.parsePath("/");

	/**
	 * The only form of a path for MVC, which matches the path as it was written.
	 * @param path the path
	 * @return its only form
	 */
	public static PathForms ofMvc(PathContainer path) {
		return new PathForms(rooted(path), List.of(), Server.MVC);
	}

	/**
	 * The path by which rules know the handler of the root: MVC finds it by no path at
	 * all, too, where a prefix of its servlet or of the application is all there is.
	 * @param path a path
	 * @return the same path; a slash if it is empty
	 */
	public static PathContainer rooted(PathContainer path) {
		return path.value().isEmpty() ? ROOT : path;
	}

	/**
	 * The forms of a path that MVC serves, unless a filter does, by the path that the
	 * container mapped, or by that path without a slash at its end.
	 * @param path the path as MVC matches it
	 * @param mapped the path that the container mapped
	 * @return its forms
	 */
	public static PathForms ofMvcOrFilter(PathContainer path, String mapped) {
		String cut = (mapped.length() > 1 && mapped.endsWith("/")) ? mapped.substring(0, mapped.length() - 1) : mapped;
		return new PathForms(rooted(path),
				Stream.of(mapped, cut).distinct().filter((form) -> !isRead(path, form)).map(PathForms::text).toList(),
				Server.MVC_OR_FILTER);
	}

	/**
	 * The forms of a path for a servlet. The container decodes and normalises a path
	 * before it chooses a servlet.
	 * @param written the path as it was written
	 * @param mapped the path that the container mapped
	 * @return its forms
	 */
	public static PathForms ofServlet(PathContainer written, String mapped) {
		return isRead(written, mapped) ? new PathForms(written, List.of(), Server.SERVLET)
				: new PathForms(text(mapped), List.of(written), Server.SERVLET);
	}

	/**
	 * All forms.
	 * @return the one that the request is served by first
	 */
	public List<PathContainer> all() {
		return Stream.concat(Stream.of(this.served), this.others.stream()).toList();
	}

	/**
	 * Whether the request may be served by another path than it appears to request.
	 * @return whether there are other forms
	 */
	public boolean differ() {
		return !this.others.isEmpty();
	}

	/** What serves a request. */
	public enum Server {

		/** Spring MVC. */
		MVC,

		/** Spring MVC, or the container's filter for WebSocket endpoints. */
		MVC_OR_FILTER,

		/** Another servlet. */
		SERVLET

	}

	/**
	 * Parse a path that contains no encoded characters.
	 * @param path the path
	 * @return its elements
	 */
	public static PathContainer text(String path) {
		return PathContainer.parsePath(path, UNDECODED);
	}

	/**
	 * Parse a path that may be encoded. If it cannot be decoded, it is taken literally.
	 * @param path the path within the application, as it was written
	 * @return its elements
	 */
	public static PathContainer parse(String path) {
		try {
			return PathContainer.parsePath(path);
		}
		catch (IllegalArgumentException ex) {
			return text(path);
		}
	}

	private static boolean isRead(PathContainer written, String mapped) {
		int length = 0;
		for (PathContainer.Element element : written.elements()) {
			boolean isSegment = element instanceof PathContainer.PathSegment;
			String text = isSegment ? ((PathContainer.PathSegment) element).valueToMatch() : element.value();
			if (!mapped.startsWith(text, length) || (isSegment && text.indexOf('/') >= 0)) {
				return false;
			}
			length += text.length();
		}
		return length == mapped.length();
	}

}
