package dev.ratelimit.web;

/**
 * One rule set as HTTP sees it. A request is decided by one of these, from its first
 * filter to its handler, whatever comes into force meanwhile.
 *
 * @param byPath the rules that paths choose
 * @param byHandler the rules that handlers name
 */
public record Routes(RouteTable byPath, HandlerRoutes byHandler) {
}
