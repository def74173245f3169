/**
 * Decides requests in a servlet container: the filter, the check in front of handlers,
 * delayed requests and responses.
 */
@NullMarked
package dev.ratelimit.web.servlet;

import org.jspecify.annotations.NullMarked;
