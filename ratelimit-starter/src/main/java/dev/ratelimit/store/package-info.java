/**
 * The requests to a store, and their results.
 */
@NullMarked
package dev.ratelimit.store;

import org.jspecify.annotations.NullMarked;
