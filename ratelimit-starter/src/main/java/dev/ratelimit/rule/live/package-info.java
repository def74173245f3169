/**
 * Rules that change while the application runs: their sources (file, table or bean), when
 * the sources are read again, and the results.
 */
@NullMarked
package dev.ratelimit.rule.live;

import org.jspecify.annotations.NullMarked;
