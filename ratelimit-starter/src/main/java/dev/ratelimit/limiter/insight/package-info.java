/**
 * What operators may request beside the decisions: the heaviest clients of each rule,
 * what other thresholds would have refused, and what is counted for one client.
 */
@NullMarked
package dev.ratelimit.limiter.insight;

import org.jspecify.annotations.NullMarked;
