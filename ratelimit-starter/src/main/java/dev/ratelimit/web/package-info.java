/**
 * HTTP in; headers, 429 or the next filter out.
 */
@NullMarked
package dev.ratelimit.web;

import org.jspecify.annotations.NullMarked;
