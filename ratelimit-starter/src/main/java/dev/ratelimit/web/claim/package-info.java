/**
 * What the token of an authenticated user says, where Spring Security knows tokens.
 */
@NullMarked
package dev.ratelimit.web.claim;

import org.jspecify.annotations.NullMarked;
