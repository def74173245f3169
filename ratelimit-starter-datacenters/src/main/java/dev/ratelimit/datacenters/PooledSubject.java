package dev.ratelimit.datacenters;

import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Subject;

/**
 * A client of a limit that data centres share.
 *
 * @param limit the limit
 * @param subject the client
 */
record PooledSubject(Limit limit, Subject subject) {
}
