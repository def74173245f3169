/**
 * Sends the calls of requests to the nodes of a store and waits for the replies:
 * connections, batches, deadlines, late replies.
 * {@link dev.ratelimit.store.wire.RoutedCallRunner} has the way of a call from its
 * request to its outcome. Knows no driver, and not what the calls mean: a store brings
 * its {@link dev.ratelimit.store.wire.Codec}, its
 * {@linkplain dev.ratelimit.store.wire.NodeCall calls} and its
 * {@link dev.ratelimit.store.wire.Router}.
 *
 * <dl>
 * <dt>node</dt>
 * <dd>One server, with a pool of connections, its batcher and its threads.</dd>
 * <dt>call</dt>
 * <dd>What a request wants of one key, and its outcome.</dd>
 * <dt>calls of a node ({@code NodeCalls})</dt>
 * <dd>All calls that one request sends to one node.</dd>
 * <dt>pending request</dt>
 * <dd>These calls while the request waits. Its owner is the thread that waits, or a
 * completion.</dd>
 * <dt>command</dt>
 * <dd>One or more calls that are sent as one and have one reply.</dd>
 * <dt>batch</dt>
 * <dd>Commands of several pending requests, written at once to one connection. The
 * request that leads a batch sends it; one of them, or a thread of the node, reads for
 * all.</dd>
 * <dt>batch slot</dt>
 * <dd>The right to have a batch under way. Usually there are two for a node.</dd>
 * <dt>to leave</dt>
 * <dd>A pending request leaves when its time is over. Its reply is then late.</dd>
 * <dt>late reply</dt>
 * <dd>It is read in the background, so that what it granted can be undone and the
 * connection used again.</dd>
 * <dt>round</dt>
 * <dd>The attempts of a request's calls at one time. Errors such as a redirection lead to
 * another one.</dd>
 * <dt>incarnation</dt>
 * <dd>A number that changes when all connections were lost, as in a copied process.</dd>
 * </dl>
 */
@NullMarked
package dev.ratelimit.store.wire;

import org.jspecify.annotations.NullMarked;
