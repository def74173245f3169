/**
 * The playground at {@code /}: the endpoints that its page calls besides the limited
 * requests and the actuator.
 */
@NullMarked
package dev.ratelimit.sample.playground;

import org.jspecify.annotations.NullMarked;
