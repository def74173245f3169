/**
 * Identifies the client of a request, from the facts of an HTTP request.
 */
@NullMarked
package dev.ratelimit.web.key;

import org.jspecify.annotations.NullMarked;
