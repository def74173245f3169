/**
 * Enqueues requests instead of refusing them: the stored data, and how a client queries
 * the state of its request.
 */
@NullMarked
package dev.ratelimit.queue.web;

import org.jspecify.annotations.NullMarked;
