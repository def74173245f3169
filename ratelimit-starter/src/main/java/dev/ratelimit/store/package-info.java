/**
 * The question a store must answer, and its answer.
 */
@NullMarked
package dev.ratelimit.store;

import org.jspecify.annotations.NullMarked;
