/**
 * Compares applications with and without the starter and its modules.
 */
@NullMarked
package dev.ratelimit.harm;

import org.jspecify.annotations.NullMarked;
