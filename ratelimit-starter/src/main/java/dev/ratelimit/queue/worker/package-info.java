/**
 * Handles queued requests: the threads of one instance and their permits.
 */
@NullMarked
package dev.ratelimit.queue.worker;

import org.jspecify.annotations.NullMarked;
