/**
 * Requests that are kept instead of refused: what is kept of them, and how a client
 * learns what becomes of them.
 */
@NullMarked
package dev.ratelimit.queue.web;

import org.jspecify.annotations.NullMarked;
