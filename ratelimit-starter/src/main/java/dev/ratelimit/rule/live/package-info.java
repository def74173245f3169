/**
 * Rules that change while the application runs: from which places they come, and what
 * becomes of them.
 */
@NullMarked
package dev.ratelimit.rule.live;

import org.jspecify.annotations.NullMarked;
