/**
 * What is known of the store: its outages, its failures and their log, the events about
 * both.
 */
@NullMarked
package dev.ratelimit.limiter.health;

import org.jspecify.annotations.NullMarked;
