/**
 * A queue on the heap, for tests: the reference that the scripts are tested against.
 */
@NullMarked
package dev.ratelimit.queue.memory;

import org.jspecify.annotations.NullMarked;
