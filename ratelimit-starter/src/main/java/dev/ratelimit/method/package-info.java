/**
 * Rate limits for calls of annotated methods.
 */
@NullMarked
package dev.ratelimit.method;

import org.jspecify.annotations.NullMarked;
