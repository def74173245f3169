package dev.ratelimit.autoconfigure;

/**
 * A marker: there is a rule, or a source from which one may come. Beans that only rules
 * need are conditional on it.
 */
final class PossibleRules {

}
