package dev.ratelimit.limiter.sync;

/**
 * Permits that were spent in the same windows.
 *
 * @param permits how many
 * @param windows the windows
 */
record Batch(long permits, Windows windows) {
}
