/**
 * Items that are kept until somebody has handled them.
 */
@NullMarked
package dev.ratelimit.store.queue;

import org.jspecify.annotations.NullMarked;
