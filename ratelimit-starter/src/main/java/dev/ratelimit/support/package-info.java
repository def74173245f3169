/**
 * What several packages need once: threads, quiet logging, a small cache. Names nothing
 * of this project.
 */
@NullMarked
package dev.ratelimit.support;

import org.jspecify.annotations.NullMarked;
