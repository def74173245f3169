/**
 * Memcached's meta commands and the servers that they are sent to: the codec, the
 * connections, and which server counts which client.
 *
 * <p>
 * A {@linkplain dev.ratelimit.memcached.meta.MetaCall call} is everything that one
 * decision sends, on keys of one server. Calls that are sent together are followed by one
 * {@code mn}, whose reply marks the end of theirs.
 */
@NullMarked
package dev.ratelimit.memcached.meta;

import org.jspecify.annotations.NullMarked;
