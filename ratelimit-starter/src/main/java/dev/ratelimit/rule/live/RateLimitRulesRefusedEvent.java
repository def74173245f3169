package dev.ratelimit.rule.live;

/**
 * Published when rules cannot be read, or cannot be brought into force, so that the last
 * good ones stay. It is published once for each reason, on a background thread of the
 * limiter: a listener that takes its time belongs on another.
 *
 * @param origin the kind of place they were read from
 * @param description which place, such as {@code file /etc/rules.yml}
 * @param reason what is wrong, where, and what cures it
 */
public record RateLimitRulesRefusedEvent(RuleOrigin origin, String description, String reason) {
}
