/**
 * Sends the calls of requests to the nodes of a store and waits for the replies:
 * connections, batches, deadlines, late replies.
 * {@link dev.ratelimit.store.wire.RoutedCallRunner} has the way of a call from its
 * request to its outcome. It uses no driver and does not interpret calls: a store brings
 * its {@link dev.ratelimit.store.wire.Codec}, its
 * {@linkplain dev.ratelimit.store.wire.NodeCall calls} and its
 * {@link dev.ratelimit.store.wire.Router}. The circuit breaker stands above the store, in
 * {@code limiter.remote}, which calls a node a shard.
 *
 * <dl>
 * <dt>node</dt>
 * <dd>One server, with the requests that wait for it, its lanes and its threads. It is
 * silent if it answers no call, as far as is known.</dd>
 * <dt>call</dt>
 * <dd>The operation of a request on one key, or on several of one node, and its
 * outcome.</dd>
 * <dt>exchange</dt>
 * <dd>All calls that one request sends to one node in one round, and their replies. Its
 * owner is the thread that waits, for one of them after the other where it has several.
 * Without an owner it has a completion to run.</dd>
 * <dt>round</dt>
 * <dd>One attempt of all calls that are still open. Errors such as a redirection lead to
 * another one; there are at most six.</dd>
 * <dt>pending calls</dt>
 * <dd>Calls that have not begun: their caller chooses whether to wait.</dd>
 * <dt>command</dt>
 * <dd>One or more calls that are sent as one and have one reply.</dd>
 * <dt>batch</dt>
 * <dd>One or more exchanges that are written at once to one connection.</dd>
 * <dt>lane</dt>
 * <dd>A connection and the batch that is under way over it. One thread has it at a
 * time.</dd>
 * <dt>batch slot</dt>
 * <dd>The right to have a batch under way. Usually there are two for a node.</dd>
 * <dt>to leave</dt>
 * <dd>A request leaves when its time is over, or when its thread is interrupted while it
 * waits. If it was sent, its replies are late from then on.</dd>
 * <dt>late reply</dt>
 * <dd>What it granted is undone over the same connection, by the thread that has the
 * lane.</dd>
 * <dt>incarnation</dt>
 * <dd>A number that changes whenever the last connection to a node is lost, as it is in a
 * copied process.</dd>
 * </dl>
 */
@NullMarked
package dev.ratelimit.store.wire;

import org.jspecify.annotations.NullMarked;
