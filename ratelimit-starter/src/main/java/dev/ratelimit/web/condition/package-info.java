/**
 * Whether a rule applies, from the facts of an HTTP request.
 */
@NullMarked
package dev.ratelimit.web.condition;

import org.jspecify.annotations.NullMarked;
