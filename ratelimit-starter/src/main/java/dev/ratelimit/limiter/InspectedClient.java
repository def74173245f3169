package dev.ratelimit.limiter;

import dev.ratelimit.store.Inspection;

/**
 * The state of one client of one limit.
 *
 * @param inspection what the store has counted
 * @param leased how many permits this instance has reserved for the client and may still
 * admit
 * @param unsynced how many permits this instance has admitted that the store does not
 * count yet
 */
public record InspectedClient(Inspection inspection, long leased, long unsynced) {
}
