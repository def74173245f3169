/**
 * What came of an HTTP request, known before the client knows it.
 */
@NullMarked
package dev.ratelimit.web.servlet.outcome;

import org.jspecify.annotations.NullMarked;
