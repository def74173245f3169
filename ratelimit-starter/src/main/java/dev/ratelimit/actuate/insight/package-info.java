/**
 * What the endpoint shows of the decisions of this instance: their totals, and the
 * heaviest clients of each rule.
 */
@NullMarked
package dev.ratelimit.actuate.insight;

import org.jspecify.annotations.NullMarked;
