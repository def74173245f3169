package dev.ratelimit.rule.live;

import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/**
 * Published when other rules have come into force, on a thread that does nothing but
 * notify listeners of events, one after the other.
 *
 * @param added the ids of the rules that are new
 * @param changed the ids of the rules whose settings changed
 * @param removed the ids of the rules that were removed
 */
public record RateLimitRulesChangedEvent(Set<String> added, Set<String> changed, Set<String> removed) {

	public RateLimitRulesChangedEvent {
		added = ordered(added);
		changed = ordered(changed);
		removed = ordered(removed);
	}

	private static Set<String> ordered(Set<String> ids) {
		return Collections.unmodifiableSet(new TreeSet<>(ids));
	}

}
