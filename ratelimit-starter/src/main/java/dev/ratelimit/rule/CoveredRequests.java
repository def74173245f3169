package dev.ratelimit.rule;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Which requests a rule covers.
 *
 * @param methods the HTTP methods, those of the registry in upper case; none means every
 * method
 * @param paths the path patterns; without paths the rule acts only where it is named
 * @param stage the side of Spring Security on which the rule is decided
 * @param when whether the rule applies to a request that it matches
 */
public record CoveredRequests(Set<String> methods, List<String> paths, Stage stage, Condition when) {

	public CoveredRequests {
		methods = Collections.unmodifiableSet(new LinkedHashSet<>(methods));
		paths = List.copyOf(paths);
		methods.forEach(RuleConstraints::requireMethod);
		paths.forEach(PathSyntax::require);
		RuleConstraints.requireMethodsWithPaths(methods, paths);
	}

	/**
	 * Whether a request method is among those of the rule. HEAD runs the GET handler, so
	 * a rule for GET covers it.
	 * @param method the method of the request
	 * @return whether the rule covers it
	 */
	public boolean coversMethod(String method) {
		return this.methods.isEmpty() || this.methods.contains(method)
				|| ("HEAD".equals(method) && this.methods.contains("GET"));
	}

	/**
	 * Whether a path of the rule has a variable.
	 * @param name the name of the variable
	 * @return whether some request that the rule covers can have it
	 */
	public boolean hasPathVariable(String name) {
		return this.paths.stream().anyMatch((path) -> PathSyntax.variables(path).contains(name));
	}

}
