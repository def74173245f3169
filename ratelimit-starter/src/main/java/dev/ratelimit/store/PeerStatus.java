package dev.ratelimit.store;

import java.time.Duration;
import java.util.Optional;

/**
 * What is known of another data centre.
 *
 * @param name its name
 * @param sinceReply the time since its Redis has last replied; empty if it never has
 * @param unacknowledged how many permits, taken from pools here, the last exchange could
 * not deliver
 * @param difference how its configuration differs from the one here; empty as far as none
 * is known
 */
public record PeerStatus(String name, Optional<Duration> sinceReply, long unacknowledged, Optional<String> difference) {
}
