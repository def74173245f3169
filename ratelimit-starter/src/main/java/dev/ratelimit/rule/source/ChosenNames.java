package dev.ratelimit.rule.source;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Names that the user chose, indexed by their first elements: a written name is compared
 * with few of them, however many there are.
 */
final class ChosenNames {

	private final Map<String, Map<Integer, String>> byFirstElement = new HashMap<>();

	/**
	 * Index names.
	 * @param names the names, in the order in which they are tried
	 */
	ChosenNames(Collection<String> names) {
		int position = 0;
		for (String name : names) {
			String first = PropertyNames.uniform(PropertyNames.elements(name).get(0));
			this.byFirstElement.computeIfAbsent(first, (uniform) -> new HashMap<>()).put(position++, name);
		}
	}

	/**
	 * The names that may start at an element of a written name. An environment variable
	 * may split an element at each dash.
	 * @param written the written name
	 * @param from the element, or {@link WrittenName#NONE}
	 * @return all names that {@link WrittenName#after} finds there, and few others, in
	 * their order
	 */
	Collection<String> at(WrittenName written, int from) {
		if (from == WrittenName.NONE || from >= written.elements().size()) {
			return List.of();
		}
		SortedMap<Integer, String> found = new TreeMap<>();
		StringBuilder joined = new StringBuilder();
		for (String element : written.environmentVariable() ? written.rest(from)
				: List.of(written.elements().get(from))) {
			joined.append(PropertyNames.uniform(element));
			found.putAll(this.byFirstElement.getOrDefault(joined.toString(), Map.of()));
		}
		return found.values();
	}

}
