/**
 * What the endpoint shows, as it is written in JSON.
 */
@NullMarked
package dev.ratelimit.actuate.descriptor;

import org.jspecify.annotations.NullMarked;
