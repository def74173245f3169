package dev.ratelimit.rule.live;

import java.util.Set;

/**
 * Published when other rules have come into force, on a background thread of the limiter:
 * a listener that takes its time belongs on another.
 *
 * @param added the ids of the rules that are new
 * @param changed the ids of the rules that say something else now
 * @param removed the ids of the rules that are gone
 */
public record RateLimitRulesChangedEvent(Set<String> added, Set<String> changed, Set<String> removed) {

	public RateLimitRulesChangedEvent {
		added = Set.copyOf(added);
		changed = Set.copyOf(changed);
		removed = Set.copyOf(removed);
	}

}
