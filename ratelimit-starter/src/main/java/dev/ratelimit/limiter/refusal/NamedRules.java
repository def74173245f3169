package dev.ratelimit.limiter.refusal;

import java.util.List;
import java.util.Set;

/**
 * The rules that application code names together, by their ids.
 *
 * @param atHandlers one entry per request handler
 * @param atMethods one entry per method of another bean
 */
public record NamedRules(List<Set<String>> atHandlers, List<Set<String>> atMethods) {

	/** No code names any rule. */
	public static final NamedRules NONE = new NamedRules(List.of(), List.of());

	public NamedRules {
		atHandlers = List.copyOf(atHandlers);
		atMethods = List.copyOf(atMethods);
	}

}
