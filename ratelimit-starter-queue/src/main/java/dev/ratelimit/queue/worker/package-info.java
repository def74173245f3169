/**
 * Handles queued requests: the threads of one instance, and what they do with an item.
 */
@NullMarked
package dev.ratelimit.queue.worker;

import org.jspecify.annotations.NullMarked;
