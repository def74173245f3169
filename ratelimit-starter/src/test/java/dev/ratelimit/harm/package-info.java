/**
 * Compares applications with and without the starter.
 */
@NullMarked
package dev.ratelimit.harm;

import org.jspecify.annotations.NullMarked;
