package dev.ratelimit.integration.routes;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

import org.springframework.util.DigestUtils;

/**
 * The kinds of handlers that serve a request, each with one that answers with the name of
 * its kind, and with a rule over what it serves.
 */
enum HandlerKind {

	ANNOTATED("an annotated method", Place.MVC, "/annotated/x", "/annotated/**"),

	FUNCTIONAL("a router function", Place.MVC, "/functional/x", "/functional/**"),

	RESOURCE("a static resource", Place.STATIC, "/files/a.txt", "/files/**"),

	TOP("a static resource at the top", Place.STATIC, "/top.txt", "/top.txt"),

	/** On a file system, whose paths are read in another way. */
	DISK("a static resource on a file system", Place.STATIC, "/disk/d.txt", "/disk/*"),

	/** By the name that its content gives it. */
	VERSIONED("a static resource with the version of its content", Place.STATIC,
			"/files/v-%s.txt".formatted(md5("versioned")), "/files/v-*.txt"),

	/** Of a router function. */
	BUNDLE("a resource of a router function", Place.MVC, "/bundle/b.txt", "/bundle/**"),

	/** Of a router function under another, which has a pattern and a filter. */
	NESTED("a resource of a nested router function", Place.MVC, "/nested/files/n.txt", "/nested/files/**"),

	WEBJAR("a WebJar", Place.WEBJARS, "/webjars/acme/1.0/acme.txt", "/webjars/acme/**"),

	WELCOME("the welcome page", Place.MVC, "/", "/"),

	/** Another servlet's, as are the next two. */
	PREFIX("another servlet's prefix", Place.CONTAINER, "/legacy/x", "/legacy/**"),

	EXACT("another servlet's exact path", Place.CONTAINER, "/exact", "/exact"),

	EXTENSION("another servlet's extension", Place.CONTAINER, "/act/x.do", "/act/*.do"),

	/** Forwards to a server that reads paths in its own way. */
	FORWARDING("a handler that forwards to a server", Place.MVC, "/gw/login", "/gw/login");

	private final String about;

	private final Place place;

	private final String path;

	private final String covered;

	HandlerKind(String about, Place place, String path, String covered) {
		this.about = about;
		this.place = place;
		this.path = path;
		this.covered = covered;
	}

	private static String md5(String content) {
		return DigestUtils.md5DigestAsHex(content.getBytes(StandardCharsets.UTF_8));
	}

	/** Its row in the document. */
	String row(SpellingTable.Row row) {
		return "| %s | `%s` | `%s` | %d | %d | `RoutesProof.noHandlerOfAnyKindRunsUndecided` |".formatted(this.about,
				this.path, this.covered, row.sent(), row.ran() - row.decided());
	}

	/** Its name in rules and answers. */
	String id() {
		return name().toLowerCase(Locale.ROOT);
	}

	String rule(AppVariant variant) {
		return "  %s: {paths: '%s', thresholds: %s}\n".formatted(id(), inside(variant, this.covered),
				RouteFuzz.THRESHOLDS);
	}

	boolean isIn(AppVariant variant) {
		return switch (variant) {
			case DEFAULT_SERVLET -> this.place != Place.STATIC && this != WELCOME;
			case STATIC_PATH -> this != WELCOME;
			// Spring fails to nest functions there.
			case BOTH_PATHS -> this != NESTED;
			default -> true;
		};
	}

	/** The plain path. */
	String path(AppVariant variant) {
		return ((this.place == Place.CONTAINER) ? variant.contextPath() : variant.prefix())
				+ inside(variant, this.path);
	}

	private String inside(AppVariant variant, String path) {
		return (variant == AppVariant.STATIC_PATH && this.place == Place.STATIC) ? "/static" + path : path;
	}

	static Optional<HandlerKind> of(String answer) {
		return Arrays.stream(values()).filter((kind) -> kind.id().equals(answer)).findFirst();
	}

	private enum Place {

		MVC, STATIC, WEBJARS, CONTAINER

	}

}
