/**
 * The content of the endpoint, as it is serialized to JSON.
 */
@NullMarked
package dev.ratelimit.actuate.descriptor;

import org.jspecify.annotations.NullMarked;
