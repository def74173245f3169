package dev.ratelimit.autoconfigure;

/**
 * There is a rule, or a place from which one may come: the mark for everything that
 * nothing but a rule needs.
 */
final class PossibleRules {

}
