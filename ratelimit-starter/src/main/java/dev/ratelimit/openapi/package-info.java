/**
 * Documents the limits in the OpenAPI documents that springdoc makes.
 */
@NullMarked
package dev.ratelimit.openapi;

import org.jspecify.annotations.NullMarked;
