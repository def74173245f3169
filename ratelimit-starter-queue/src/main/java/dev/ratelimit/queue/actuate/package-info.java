/**
 * What operators see of enqueued requests: the endpoint and the meters.
 */
@NullMarked
package dev.ratelimit.queue.actuate;

import org.jspecify.annotations.NullMarked;
