/**
 * Sends the calls of requests to the nodes of a store and waits for the replies: batches,
 * connections, deadlines, late replies. {@link dev.ratelimit.store.wire.RoutedCallRunner}
 * has the way of a call from its request to its outcome. Knows no driver, and not what
 * the calls mean: a store brings its {@link dev.ratelimit.store.wire.Codec},
 * {@link dev.ratelimit.store.wire.Call calls} and
 * {@link dev.ratelimit.store.wire.Router}.
 */
@NullMarked
package dev.ratelimit.store.wire;

import org.jspecify.annotations.NullMarked;
