package dev.ratelimit.rule.config;

/**
 * One rule as YAML text: its keys, without its id.
 *
 * @param id the id of the rule
 * @param text the content of {@code ratelimit.rules.<id>} in a configuration
 */
public record RuleText(String id, String text) {
}
