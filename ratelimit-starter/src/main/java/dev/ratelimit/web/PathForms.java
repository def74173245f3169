package dev.ratelimit.web;

import org.springframework.http.server.PathContainer;

/**
 * The forms of the path of one request. They may differ for a servlet that is not MVC's,
 * which the container may find by another form than the one the client wrote, and for a
 * WebSocket endpoint, which a filter finds.
 *
 * @param served the path that the request is served by
 * @param other the form that it may be found by, too
 * @param differ whether the container reads the path differently from the patterns of
 * rules
 * @param isOfMvc whether MVC serves it
 */
public record PathForms(PathContainer served, PathContainer other, boolean differ, boolean isOfMvc) {

	private static final PathContainer.Options UNDECODED = PathContainer.Options.create('/', false);

	/**
	 * The only form of a path for MVC, which matches the path as it was written.
	 * @param path the path
	 * @return its only form
	 */
	public static PathForms ofMvc(PathContainer path) {
		return new PathForms(path, path, false, true);
	}

	/**
	 * The forms of a path that MVC serves, unless a filter does, by the path that the
	 * container mapped.
	 * @param path the path as MVC matches it
	 * @param mapped the path that the container mapped
	 * @return its forms
	 */
	public static PathForms ofMvcOrFilter(PathContainer path, String mapped) {
		boolean differ = !isRead(path, mapped);
		return new PathForms(path, differ ? text(mapped) : path, differ, true);
	}

	/**
	 * The forms of a path for a servlet. The container decodes and normalises a path
	 * before it chooses a servlet.
	 * @param written the path as it was written
	 * @param mapped the path that the container mapped
	 * @return its forms
	 */
	public static PathForms ofServlet(PathContainer written, String mapped) {
		boolean differ = !isRead(written, mapped);
		return new PathForms(differ ? text(mapped) : written, written, differ, false);
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
	static PathContainer parse(String path) {
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
