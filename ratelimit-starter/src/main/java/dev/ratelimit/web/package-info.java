/**
 * Limits HTTP requests: decides them, writes headers, and responds with 429 or passes
 * them on.
 */
@NullMarked
package dev.ratelimit.web;

import org.jspecify.annotations.NullMarked;
