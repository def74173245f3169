package dev.ratelimit.rule.live;

import java.util.Set;

/**
 * Published when other rules have come into force, on a background thread of the limiter.
 * A slow listener should use another thread.
 *
 * @param added the ids of the rules that are new
 * @param changed the ids of the rules whose settings changed
 * @param removed the ids of the rules that were removed
 */
public record RateLimitRulesChangedEvent(Set<String> added, Set<String> changed, Set<String> removed) {

	public RateLimitRulesChangedEvent {
		added = Set.copyOf(added);
		changed = Set.copyOf(changed);
		removed = Set.copyOf(removed);
	}

}
