/**
 * Decides in Redis, by one Lua call per request.
 */
@NullMarked
package dev.ratelimit.store.redis;

import org.jspecify.annotations.NullMarked;
