package dev.ratelimit.web.key;

import java.util.Optional;

/**
 * Finds out who is asking. A rule names a bean of this type by {@code key: bean:NAME}.
 */
@FunctionalInterface
public interface KeyResolver {

	/**
	 * Resolve the key of a request. Called on the thread of the request, once per rule
	 * that names it.
	 * @param request the facts of the request
	 * @return the key, which is hashed before it is stored; empty or blank if the request
	 * has none. If it throws, or answers null, the request has none either.
	 */
	Optional<String> resolve(RequestFacts request);

}
