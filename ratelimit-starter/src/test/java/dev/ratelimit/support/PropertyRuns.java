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

	@Override
	public PropertyExecutionResult aroundProperty(PropertyLifecycleContext context, PropertyExecutor property)
			throws Throwable {
		PropertyAttributes attributes = context.attributes();
		if (!Boolean.getBoolean("property.all")) {
			attributes.setTries(Math.max(1, attributes.tries().orElseThrow() / 10));
		}
		String seed = System.getProperty("property.seed");
		if (seed != null) {
			attributes.setSeed(seed);
		}
		PropertyExecutionResult result = property.execute();
		System.out.printf("%s.%s: %d histories from seed %s%n", context.containerClass().getSimpleName(),
				context.targetMethod().getName(), result.countTries(), result.seed().orElse("?"));
		return result;
	}

	@Override
	public PropagationMode propagateTo() {
		return PropagationMode.ALL_DESCENDANTS;
	}

}
