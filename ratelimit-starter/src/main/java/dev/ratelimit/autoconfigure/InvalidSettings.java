package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import dev.ratelimit.method.annotated.InvalidAnnotationException;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.source.InvalidSettingsException;
import dev.ratelimit.rule.source.Problem;

/**
 * Lets what is found wrong while beans are made fail the start as readably as what is
 * found wrong while settings are read.
 */
final class InvalidSettings {

	private InvalidSettings() {
	}

	/**
	 * Make something out of settings.
	 * @param <T> the type of what is made
	 * @param maker makes it
	 * @return what was made
	 * @throws InvalidSettingsException if a setting is not valid
	 * @throws InvalidAnnotationException if an annotation is not valid
	 */
	static <T> T explain(Supplier<T> maker) {
		try {
			return maker.get();
		}
		catch (InvalidAnnotationException ex) {
			throw ex;
		}
		catch (InvalidRuleException ex) {
			throw new InvalidSettingsException(List
				.of(new Problem("ratelimit." + ex.property(), ex.value(), Optional.empty(), ex.reason(), ex.cure())));
		}
	}

}
