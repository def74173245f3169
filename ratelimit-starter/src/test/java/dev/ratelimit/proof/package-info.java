/**
 * Proofs of what an outage does to limits, and what only they need: load, faults of one
 * Redis and of a cluster, observations, and limiters that a proof must find wrong.
 */
package dev.ratelimit.proof;
