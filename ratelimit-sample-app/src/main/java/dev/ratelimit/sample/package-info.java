/**
 * The starter in use: the endpoints of the articles.
 */
@NullMarked
package dev.ratelimit.sample;

import org.jspecify.annotations.NullMarked;
