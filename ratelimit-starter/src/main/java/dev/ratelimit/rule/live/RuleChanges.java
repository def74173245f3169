package dev.ratelimit.rule.live;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;

/**
 * The differences between two rule sets.
 *
 * @param before the rules that were in force
 * @param after the rules that are in force
 */
record RuleChanges(RuleSet before, RuleSet after) {

	RateLimitRulesChangedEvent event() {
		Set<String> added = new TreeSet<>();
		Set<String> changed = new TreeSet<>();
		Set<String> removed = new TreeSet<>();
		for (RLConfig rule : this.after.rules()) {
			Optional<RLConfig> old = this.before.find(rule.id());
			if (old.isEmpty()) {
				added.add(rule.id());
			}
			else if (!old.get().equals(rule)) {
				changed.add(rule.id());
			}
		}
		this.before.rules()
			.stream()
			.map(RLConfig::id)
			.filter((id) -> this.after.find(id).isEmpty())
			.forEach(removed::add);
		return new RateLimitRulesChangedEvent(added, changed, removed);
	}

	/** For the log: the changes, and the rules whose usage is not kept. */
	@Override
	public String toString() {
		RateLimitRulesChangedEvent event = event();
		List<String> parts = new ArrayList<>();
		part(event.added(), "new").ifPresent(parts::add);
		part(event.changed(), "changed").ifPresent(parts::add);
		part(event.removed(), "removed").ifPresent(parts::add);
		String anew = event.changed()
			.stream()
			.sorted()
			.flatMap((id) -> anew(this.before.find(id).orElseThrow(), this.after.find(id).orElseThrow()).stream())
			.map("; "::concat)
			.collect(Collectors.joining());
		return String.join(", ", parts) + anew;
	}

	private static Optional<String> part(Set<String> ids, String what) {
		return ids.isEmpty() ? Optional.empty() : Optional.of(what + " " + new TreeSet<>(ids));
	}

	/** Usage is stored by algorithm, subject and length of the window. */
	private static Optional<String> anew(RLConfig before, RLConfig after) {
		String starts = "rule '" + after.id() + "' starts anew, as ";
		Algorithm algorithm = after.counting().algorithm();
		if (before.counting().algorithm() != algorithm) {
			return Optional.of(starts + "it counts by " + algorithm.text());
		}
		if (before.counting().refill() != after.counting().refill()) {
			return Optional.of(starts + "its refill is another");
		}
		if (!before.key().sources().equals(after.key().sources())) {
			return Optional.of(starts + "it counts others");
		}
		// A log stores times, which do not depend on the windows.
		Set<String> windows = windows(after);
		windows.removeAll(windows(before));
		return (windows.isEmpty() || algorithm == Algorithm.SLIDING_WINDOW_LOG) ? Optional.empty()
				: Optional.of("rule '" + after.id() + "' starts anew in " + String.join(", ", windows));
	}

	private static Set<String> windows(RLConfig rule) {
		return rule.allowances()
			.limits()
			.values()
			.stream()
			.flatMap(List::stream)
			.map((threshold) -> threshold.window().toString())
			.collect(Collectors.toCollection(TreeSet::new));
	}

}
