/**
 * A sample application of the starter, with the endpoints of the articles.
 */
@NullMarked
package dev.ratelimit.sample;

import org.jspecify.annotations.NullMarked;
