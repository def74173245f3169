/**
 * What an application is, with the starter and without it.
 */
@NullMarked
package dev.ratelimit.harm;

import org.jspecify.annotations.NullMarked;
