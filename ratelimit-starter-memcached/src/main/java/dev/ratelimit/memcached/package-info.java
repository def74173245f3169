/**
 * The store that counts in Memcached.
 */
@NullMarked
package dev.ratelimit.memcached;

import org.jspecify.annotations.NullMarked;
