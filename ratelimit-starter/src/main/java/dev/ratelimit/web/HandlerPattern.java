package dev.ratelimit.web;

import java.util.List;

import org.springframework.http.server.PathContainer;

/**
 * Turns the pattern of a handler into the paths it stands for. A variable becomes one
 * segment, whatever it may hold. A part that matches any number of segments becomes one
 * segment and two, so a rule for one segment does not cover it.
 */
final class HandlerPattern {

	private HandlerPattern() {
	}

	/** The paths; a rule that matches all of them covers the handler. */
	static List<PathContainer> paths(String pattern) {
		String withoutVariables = withoutVariables(pattern);
		return List.of(PathForms.text(withoutVariables.replace("**", "*")),
				PathForms.text(withoutVariables.replace("**", "*/*")));
	}

	private static String withoutVariables(String pattern) {
		StringBuilder text = new StringBuilder(pattern.length());
		int depth = 0;
		for (int i = 0; i < pattern.length(); i++) {
			char c = pattern.charAt(i);
			if (c == '{' && depth++ == 0) {
				text.append(pattern.startsWith("{*", i) ? "**" : "*");
			}
			if (depth == 0) {
				text.append(c);
			}
			if (c == '}') {
				depth--;
			}
		}
		return text.toString();
	}

}
