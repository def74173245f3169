/**
 * Answers from Redis by one Lua call per question.
 */
@NullMarked
package dev.ratelimit.store.redis;

import org.jspecify.annotations.NullMarked;
