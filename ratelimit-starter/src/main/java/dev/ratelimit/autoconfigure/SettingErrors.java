package dev.ratelimit.autoconfigure;

import java.util.function.Supplier;

import dev.ratelimit.method.annotated.InvalidAnnotationException;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.spi.InvalidSettingsException;
import dev.ratelimit.spi.SettingChecks;

/**
 * Reports what was found to be wrong after the settings were read.
 */
final class SettingErrors {

	private SettingErrors() {
	}

	/**
	 * Create an object from settings. An error found then fails the start as readably as
	 * one found while settings are read.
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
