package dev.ratelimit.support;

import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.PropertyAttributes;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/**
 * Runs each property with a tenth of its tries, and in the proof group {@code histories}
 * with all of them. Prints how many there were, and from which seed.
 * {@code -Dproperty.seed=...} repeats them.
 */
public class PropertyRuns implements AroundPropertyHook {

	/** That of the library, for a property that names none. */
	private static final int TRIES = 1000;

	private static final boolean ALL = Boolean.getBoolean("property.all");

	/**
	 * Return the least of what all tries come to, or half of its tenth, as a tenth of the
	 * tries varies more.
	 * @param ofAll the least of all tries
	 * @return the least of this run
	 */
	public static int least(int ofAll) {
		return ALL ? ofAll : ofAll / 20;
	}

	@Override
	public PropertyExecutionResult aroundProperty(PropertyLifecycleContext context, PropertyExecutor property)
			throws Throwable {
		PropertyAttributes attributes = context.attributes();
		int tries = attributes.tries().orElse(TRIES);
		attributes.setTries(ALL ? tries : Math.max(1, tries / 10));
		String seed = System.getProperty("property.seed");
		if (seed != null) {
			attributes.setSeed(seed);
		}
		PropertyExecutionResult result = property.execute();
		if (tries > 1) {
			System.out.printf("%s.%s: %d histories from seed %s%n", context.containerClass().getSimpleName(),
					context.targetMethod().getName(), result.countTries(), result.seed().orElse("?"));
		}
		return result;
	}

	@Override
	public PropagationMode propagateTo() {
		return PropagationMode.ALL_DESCENDANTS;
	}

}
