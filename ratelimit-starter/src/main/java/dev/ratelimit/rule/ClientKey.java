package dev.ratelimit.rule;

import java.util.List;

/**
 * By which key a rule counts clients.
 *
 * @param sources where the key is found: one source, or several that form a tuple
 * @param onMissing what happens to a request without the key
 */
public record ClientKey(List<KeySource> sources, OnMissingKey onMissing) {

	public ClientKey {
		sources = List.copyOf(sources);
		RuleConstraints.requireSources(sources);
	}

	/**
	 * Whether the key has a source of a kind.
	 * @param kind the kind
	 * @return whether it has; one of kind {@link KeySource.Kind#GLOBAL} is alone
	 */
	public boolean has(KeySource.Kind kind) {
		return this.sources.stream().anyMatch((source) -> source.kind() == kind);
	}

}
