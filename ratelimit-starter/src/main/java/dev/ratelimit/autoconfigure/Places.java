package dev.ratelimit.autoconfigure;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.core.env.Environment;

/**
 * Places in the configuration of an application. Only names are looked at, as there may
 * be thousands.
 */
final class Places {

	private Places() {
	}

	/**
	 * Whether there is a setting below a place.
	 * @param environment the settings
	 * @param place the place, in its canonical form
	 * @return whether there is
	 */
	static boolean isSet(Environment environment, String place) {
		ConfigurationPropertyName name = ConfigurationPropertyName.of(place);
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
			if (source.containsDescendantOf(name) == ConfigurationPropertyState.PRESENT) {
				return true;
			}
		}
		return false;
	}

}
