/**
 * Decides in Redis, by one script call for each rule of a request.
 */
@NullMarked
package dev.ratelimit.store.redis;

import org.jspecify.annotations.NullMarked;
