package dev.ratelimit.benchmarks;

/**
 * The figures of Redis for the calls of a script in one round.
 *
 * @param micros the time of its main thread in the script, per decision
 * @param cpuMicros its CPU time for everything, per decision
 */
record ScriptSample(double micros, double cpuMicros) {
}
