/**
 * Reads the name of an authenticated user and the claims of the user's token, where
 * Spring Security is present.
 */
@NullMarked
package dev.ratelimit.web.claim;

import org.jspecify.annotations.NullMarked;
