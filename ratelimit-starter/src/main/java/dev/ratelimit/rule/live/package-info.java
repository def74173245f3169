/**
 * Rules that change while the application runs: the file, the table or the bean that they
 * come from, when it is read again, and what becomes of them.
 */
@NullMarked
package dev.ratelimit.rule.live;

import org.jspecify.annotations.NullMarked;
