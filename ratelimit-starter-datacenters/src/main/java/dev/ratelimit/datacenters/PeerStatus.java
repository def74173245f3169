package dev.ratelimit.datacenters;

import java.time.Duration;
import java.util.Optional;

/**
 * What is known of another data centre.
 *
 * @param name its name
 * @param sinceReply the time since its Redis has last replied; empty if it never has
 * @param unacknowledged how many clients have taken permits from pools here that it has
 * not acknowledged, or wait for their first exchange; at most 50,000
 * @param problem why nothing, or not everything, is exchanged with it; empty if no reason
 * is known
 */
record PeerStatus(String name, Optional<Duration> sinceReply, int unacknowledged, Optional<String> problem) {
}
