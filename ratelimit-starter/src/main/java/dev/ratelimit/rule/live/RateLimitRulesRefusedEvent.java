package dev.ratelimit.rule.live;

/**
 * Published when rules cannot be read, or cannot be brought into force, so that the last
 * valid ones stay. It is published once for each reason, on a thread that does nothing
 * but notify listeners of events, one after the other.
 *
 * @param origin the kind of source they were read from
 * @param description which source, such as {@code file /etc/rules.yml}
 * @param reason what is wrong, where, and the cure
 */
public record RateLimitRulesRefusedEvent(RuleOrigin origin, String description, String reason) {
}
