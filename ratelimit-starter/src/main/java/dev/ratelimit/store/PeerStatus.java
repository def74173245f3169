package dev.ratelimit.store;

import java.time.Duration;
import java.util.Optional;

/**
 * What is known of another data centre.
 *
 * @param name its name
 * @param sinceReply the time since its Redis has last replied; empty if it never has
 * @param unacknowledged how many permits, taken from pools here, it had not acknowledged
 * when they were last reported
 * @param difference how its configuration differs from the one here; empty as far as none
 * is known
 */
public record PeerStatus(String name, Optional<Duration> sinceReply, long unacknowledged, Optional<String> difference) {
}
