/**
 * What operators may request beside the decisions: the heaviest clients of each rule,
 * what is counted for one client, and a log of the decisions.
 */
@NullMarked
package dev.ratelimit.limiter.insight;

import org.jspecify.annotations.NullMarked;
