package dev.ratelimit.web.key;

import java.util.Optional;

/**
 * Resolves the client of a request. A rule names a bean of this type by
 * {@code key: bean:NAME}. Several threads call it at once, so it must be safe for
 * concurrent use, and their requests wait for it.
 */
@FunctionalInterface
public interface KeyResolver {

	/**
	 * Resolve the key of a request. Called on the thread of the request, once per rule
	 * that names the bean.
	 * @param request the facts of the request
	 * @return the key, which is hashed before it is stored; empty or blank if the request
	 * has none. If this method throws or returns null, the request has none either.
	 */
	Optional<String> resolve(RequestFacts request);

}
