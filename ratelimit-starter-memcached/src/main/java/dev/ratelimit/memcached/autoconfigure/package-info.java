/**
 * Configures the store in Memcached where {@code ratelimit.store} names it.
 */
@NullMarked
package dev.ratelimit.memcached.autoconfigure;

import org.jspecify.annotations.NullMarked;
