/**
 * What other thresholds would have refused.
 */
@NullMarked
package dev.ratelimit.limiter.evidence;

import org.jspecify.annotations.NullMarked;
