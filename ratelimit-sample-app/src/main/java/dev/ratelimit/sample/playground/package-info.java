/**
 * The playground at {@code /}: what its page asks besides the limited requests and the
 * actuator.
 */
@NullMarked
package dev.ratelimit.sample.playground;

import org.jspecify.annotations.NullMarked;
