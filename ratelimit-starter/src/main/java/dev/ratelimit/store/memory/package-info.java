/**
 * Decides on the heap; the reference that the Lua scripts are tested against.
 */
@NullMarked
package dev.ratelimit.store.memory;

import org.jspecify.annotations.NullMarked;
