/**
 * Who is asking, from the facts of an HTTP request.
 */
@NullMarked
package dev.ratelimit.web.key;

import org.jspecify.annotations.NullMarked;
