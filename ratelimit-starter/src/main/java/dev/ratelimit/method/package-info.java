/**
 * Calls of annotated methods under rules.
 */
@NullMarked
package dev.ratelimit.method;

import org.jspecify.annotations.NullMarked;
