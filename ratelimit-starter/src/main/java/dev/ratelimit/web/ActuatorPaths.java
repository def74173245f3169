package dev.ratelimit.web;

import java.util.ArrayList;
import java.util.List;

/**
 * The paths that Actuator serves on the port of the application. Only rules with a
 * pattern that begins with one of them, or with the base path, cover them. Tested by
 * {@code RouteTableTests}.
 *
 * @param basePath the base path of the endpoints; empty if they have none, or another
 * port
 * @param patterns what is served
 */
public record ActuatorPaths(String basePath, List<String> patterns) {

	/** Actuator serves nothing on this port. */
	public static final ActuatorPaths NONE = new ActuatorPaths("", List.of());

	public ActuatorPaths {
		patterns = List.copyOf(patterns);
	}

	/**
	 * The patterns whose paths begin as a pattern of a rule that covers Actuator does.
	 */
	List<String> named() {
		List<String> named = new ArrayList<>(this.patterns);
		if (!this.basePath.isEmpty()) {
			named.add(this.basePath + "/**");
		}
		return named;
	}

}
