package dev.ratelimit.rule.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Lists written as one text.
 */
final class TextList {

	private TextList() {
	}

	/**
	 * Split a text at its commas.
	 * @param text the text
	 * @return its trimmed elements, at least one
	 */
	static List<String> split(String text) {
		return Arrays.stream(text.split(",", -1)).map(String::strip).toList();
	}

	/**
	 * Split a list of paths at its commas, except those inside braces or brackets, which
	 * belong to a regular expression. Blanks beside a separating comma are dropped;
	 * others are kept, so that a path with a trailing blank is detected.
	 * @param text the text
	 * @return its elements, at least one
	 */
	static List<String> splitPaths(String text) {
		List<String> elements = new ArrayList<>();
		int depth = 0;
		int start = 0;
		for (int i = 0; i < text.length(); i++) {
			char c = text.charAt(i);
			if (c == '{' || c == '[') {
				depth++;
			}
			else if (c == '}' || c == ']') {
				depth--;
			}
			else if (c == ',' && depth <= 0) {
				elements.add(afterComma(text, start, i).stripTrailing());
				start = i + 1;
			}
		}
		elements.add(afterComma(text, start, text.length()));
		return elements;
	}

	private static String afterComma(String text, int start, int end) {
		String element = text.substring(start, end);
		return (start > 0) ? element.stripLeading() : element;
	}

}
