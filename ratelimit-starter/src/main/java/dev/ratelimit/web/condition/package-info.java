/**
 * Decides whether a rule applies, from the facts of an HTTP request. A rule sets its
 * condition by {@code when}: {@code bean:NAME} names a
 * {@link dev.ratelimit.web.condition.RequestCondition}, and anything else is an
 * expression in a part of SpEL, such as
 * {@code headers['X-Client'] == 'batch' and method == 'POST'}.
 * <p>
 * Its facts are {@code method}, {@code path} (within the application, still encoded as
 * the client wrote it; use {@code paths} to select requests by path), {@code principal},
 * {@code headers['NAME']} in any case of letters, {@code query['NAME']} and
 * {@code pathVariables['NAME']}. Each is a text, the first one if there are several, and
 * null if it is absent or blank. They are joined by {@code ==}, {@code !=},
 * {@code matches}, {@code ?:}, {@code and}, {@code or} and {@code not}. Everything else
 * of SpEL, such as methods, types, beans, variables and assignments, makes the
 * application fail to start.
 */
@NullMarked
package dev.ratelimit.web.condition;

import org.jspecify.annotations.NullMarked;
