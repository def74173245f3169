/**
 * Counts on this instance, and adds to the store at intervals: {@code mode: synced}.
 */
@NullMarked
package dev.ratelimit.limiter.sync;

import org.jspecify.annotations.NullMarked;
