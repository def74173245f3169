package dev.ratelimit.autoconfigure;

import java.util.function.Supplier;

import dev.ratelimit.method.annotated.InvalidAnnotationException;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.config.InvalidSettingsException;

/**
 * Makes errors found while beans are created fail the start as readably as errors found
 * while settings are read.
 */
final class InvalidSettings {

	private InvalidSettings() {
	}

	/**
	 * Create an object from settings.
	 * @param <T> the type of the object
	 * @param maker creates it
	 * @return the object
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
			throw SettingChecks.invalid(ex.property(), ex.value(), ex.reason(), ex.cure());
		}
	}

}
