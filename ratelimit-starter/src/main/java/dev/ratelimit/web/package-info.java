/**
 * Decides HTTP requests, and names no servlet: routes, the state of a request, actions
 * and headers. An adapter, such as {@code web.servlet}, supplies the facts of a request
 * and executes the actions.
 */
@NullMarked
package dev.ratelimit.web;

import org.jspecify.annotations.NullMarked;
