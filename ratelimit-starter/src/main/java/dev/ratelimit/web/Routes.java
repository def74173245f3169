package dev.ratelimit.web;

/**
 * One rule set in its HTTP form. A request is decided by one of these, from its first
 * filter to its handler, even if another rule set comes into force meanwhile.
 *
 * @param byPath the rules selected by path
 * @param byHandler the rules that handlers name
 */
public record Routes(RouteTable byPath, HandlerRoutes byHandler) {

	/**
	 * What the rules need of requests.
	 * @return the needs of all of them
	 */
	public RequestNeeds needs() {
		return this.byPath.needs();
	}
}
