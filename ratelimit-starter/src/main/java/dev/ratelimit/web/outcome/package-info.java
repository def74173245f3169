/**
 * What came of an HTTP request, known before the client knows it.
 */
@NullMarked
package dev.ratelimit.web.outcome;

import org.jspecify.annotations.NullMarked;
