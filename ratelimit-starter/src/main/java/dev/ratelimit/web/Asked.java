package dev.ratelimit.web;

import java.util.List;

import dev.ratelimit.limiter.Ask;
import dev.ratelimit.web.RouteTable.Match;

/**
 * Rules that are asked together about a request.
 *
 * @param routes the rules
 * @param matches how the request came to match them; perhaps others, too
 * @param asks what each is asked
 */
public record Asked(List<Route> routes, List<Match> matches, List<Ask> asks) {

	public boolean isEmpty() {
		return this.asks.isEmpty();
	}

	/** Whether some of the rules let the request wait for a turn. */
	public boolean mayWait() {
		for (Ask ask : this.asks) {
			if (ask.waits()) {
				return true;
			}
		}
		return false;
	}

	/** Those of them that let it wait, or those that do not. */
	public Asked only(boolean waiting) {
		return new Asked(this.routes, this.matches,
				this.asks.stream().filter((ask) -> ask.waits() == waiting).toList());
	}

}
