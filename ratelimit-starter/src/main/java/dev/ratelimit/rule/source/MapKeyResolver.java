package dev.ratelimit.rule.source;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the names that the user chose for the entries of a map, in all property sources.
 * A name may be spelled differently in each source. The spelling of the source with the
 * lowest precedence is used, because an entry is usually declared there. The spelling of
 * an environment variable is used only if there is no other.
 */
final class MapKeyResolver {

	private final String map;

	private final String what;

	private final int elementsBelow;

	private final Continuation continuation;

	private final Findings findings;

	/**
	 * Create a resolver.
	 * @param map the name of the map, after the prefix
	 * @param what the term for its names
	 * @param elementsBelow the least number of elements that follow a name
	 * @param continuation checks how the name of a variable continues
	 * @param findings collects spellings that differ within one source
	 */
	MapKeyResolver(String map, String what, int elementsBelow, Continuation continuation, Findings findings) {
		this.map = map;
		this.what = what;
		this.elementsBelow = elementsBelow;
		this.continuation = continuation;
		this.findings = findings;
	}

	/**
	 * Find the names.
	 * @param sources the settings of each source, the highest precedence first
	 * @return the names, in the order in which they were declared
	 */
	Collection<String> in(List<List<WrittenSetting>> sources) {
		Map<String, String> byUniform = new LinkedHashMap<>();
		for (int i = sources.size() - 1; i >= 0; i--) {
			declared(sources.get(i)).forEach(byUniform::putIfAbsent);
		}
		ChosenNames declared = new ChosenNames(byUniform.values());
		sources.stream().flatMap(List::stream).map(WrittenSetting::name).forEach((name) -> {
			int place = place(name);
			if (name.environmentVariable() && place != WrittenName.NONE && !isOneOf(declared, name, place)
					&& this.continuation.follows(name, place + 1)) {
				String chosen = name.elements().get(place);
				byUniform.putIfAbsent(PropertyNames.uniform(chosen), chosen);
			}
		});
		return List.copyOf(byUniform.values());
	}

	/** The spellings in one source, by their uniform spelling. */
	private Map<String, String> declared(List<WrittenSetting> source) {
		Map<String, Set<String>> spellings = new LinkedHashMap<>();
		for (WrittenSetting setting : source) {
			int place = setting.name().environmentVariable() ? WrittenName.NONE : place(setting.name());
			if (place == WrittenName.NONE) {
				continue;
			}
			String chosen = setting.name().elements().get(place);
			Set<String> others = spellings.computeIfAbsent(PropertyNames.uniform(chosen),
					(uniform) -> new LinkedHashSet<>());
			if (others.add(chosen) && others.size() > 1) {
				String first = others.iterator().next();
				this.findings.problem(new Problem(SettingNames.PREFIX + "." + this.map + "." + chosen, chosen,
						Optional.of(setting.origin()),
						"is a second spelling of the " + this.what + " '" + first + "' in one source",
						"Write '" + first + "' everywhere, or choose names that differ by more than dashes and case"));
			}
		}
		Map<String, String> firsts = new LinkedHashMap<>();
		spellings.forEach((uniform, chosen) -> firsts.put(uniform, chosen.iterator().next()));
		return firsts;
	}

	/** The position of the chosen name. */
	private int place(WrittenName name) {
		int place = name.after(1, this.map);
		return (place != WrittenName.NONE && place + this.elementsBelow < name.elements().size()) ? place
				: WrittenName.NONE;
	}

	private boolean isOneOf(ChosenNames declared, WrittenName name, int place) {
		return declared.at(name, place)
			.stream()
			.anyMatch((chosen) -> this.continuation.follows(name, name.after(place, chosen)));
	}

	/** Checks how a name continues after a chosen one. */
	@FunctionalInterface
	interface Continuation {

		/**
		 * Whether the continuation is valid.
		 * @param name the name
		 * @param from the element after the chosen name, or {@link WrittenName#NONE}
		 * @return whether it is
		 */
		boolean follows(WrittenName name, int from);

	}

}
