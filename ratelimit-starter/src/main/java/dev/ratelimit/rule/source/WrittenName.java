package dev.ratelimit.rule.source;

import java.util.List;

/**
 * The name of a setting as it was written.
 *
 * @param elements its elements, the prefix first
 * @param environmentVariable whether it is the name of an environment variable, in which
 * an underscore may replace a dot, a dash or a bracket
 */
record WrittenName(List<String> elements, boolean environmentVariable) {

	/** Not found. */
	static final int NONE = -1;

	/**
	 * Find a name in this one.
	 * @param from the element at which it must start
	 * @param name one or more elements in canonical form, with dots between them
	 * @return the element after its last one, or {@link #NONE}
	 */
	int after(int from, String name) {
		int next = from;
		for (String element : PropertyNames.elements(name)) {
			next = (next == NONE) ? NONE : afterElement(next, PropertyNames.uniform(element));
		}
		return next;
	}

	private int afterElement(int from, String uniform) {
		StringBuilder joined = new StringBuilder();
		for (int i = from; i < this.elements.size(); i++) {
			joined.append(PropertyNames.uniform(this.elements.get(i)));
			if (uniform.contentEquals(joined)) {
				return i + 1;
			}
			if (!this.environmentVariable) {
				return NONE;
			}
		}
		return NONE;
	}

	/**
	 * The elements from an index on.
	 * @param from the first element
	 * @return the rest of the name
	 */
	List<String> rest(int from) {
		return this.elements.subList(from, this.elements.size());
	}

}
