package dev.ratelimit.rule;

/**
 * How a rule is enforced.
 *
 * @param onLimit what happens to a request that exceeds the limit
 * @param refusal the response to an HTTP request that exceeds the limit
 * @param onStoreFailure what the rule does during an outage of the store
 * @param shadow whether the rule only reports what it would refuse
 */
public record Enforcement(OnLimit onLimit, Refusal refusal, OnStoreFailure onStoreFailure, boolean shadow) {
}
