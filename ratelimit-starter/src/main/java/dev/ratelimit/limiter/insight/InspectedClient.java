package dev.ratelimit.limiter.insight;

import dev.ratelimit.store.Inspection;

/**
 * What is known of one client of one limit.
 *
 * @param inspection what the store has counted
 * @param leased how many permits this instance has reserved for it and may still admit
 * @param unsynced how many it was admitted by this instance that the store does not know
 * of yet
 */
public record InspectedClient(Inspection inspection, long leased, long unsynced) {
}
