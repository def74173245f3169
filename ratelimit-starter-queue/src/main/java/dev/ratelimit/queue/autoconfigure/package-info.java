/**
 * The auto-configuration of the queue.
 */
@NullMarked
package dev.ratelimit.queue.autoconfigure;

import org.jspecify.annotations.NullMarked;
