/**
 * Whether a rule applies, from the facts of an HTTP request. A rule says it by
 * {@code when}: {@code bean:NAME} names a
 * {@link dev.ratelimit.web.condition.RequestCondition}, and anything else is an
 * expression in a part of SpEL, such as
 * {@code headers['X-Client'] == 'batch' and method == 'POST'}.
 * <p>
 * Its facts are {@code method}, {@code path} (within the application, still encoded as
 * the client wrote it: to choose requests by path there is {@code paths}),
 * {@code principal}, {@code headers['NAME']} in any case of letters,
 * {@code query['NAME']} and {@code pathVariables['NAME']}: a text each, the first one
 * where there are several, and null where it is absent or blank. They are joined by
 * {@code ==}, {@code !=}, {@code matches}, {@code ?:}, {@code and}, {@code or} and
 * {@code not}. Everything else of SpEL, such as methods, types, beans, variables and
 * assignments, stops the start.
 */
@NullMarked
package dev.ratelimit.web.condition;

import org.jspecify.annotations.NullMarked;
