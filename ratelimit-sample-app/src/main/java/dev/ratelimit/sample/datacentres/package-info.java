/**
 * Two data centres in one process, with a line between them that can be cut: the profile
 * {@code datacentres}.
 */
@NullMarked
package dev.ratelimit.sample.datacentres;

import org.jspecify.annotations.NullMarked;
