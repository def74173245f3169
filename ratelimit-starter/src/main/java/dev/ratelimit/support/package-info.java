/**
 * Helpers of several packages: threads, quiet logging, a small cache. They use no other
 * package of this project.
 */
@NullMarked
package dev.ratelimit.support;

import org.jspecify.annotations.NullMarked;
