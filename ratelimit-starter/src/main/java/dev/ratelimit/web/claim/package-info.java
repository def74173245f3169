/**
 * Reads the claims of an authenticated user's token, where Spring Security supports
 * tokens.
 */
@NullMarked
package dev.ratelimit.web.claim;

import org.jspecify.annotations.NullMarked;
