package dev.ratelimit.spi;

import java.util.Map;

/**
 * Adds details to the health of the limiter. A module declares a bean of it.
 */
@FunctionalInterface
public interface HealthDetails {

	/**
	 * What is known now. Makes no call, and does not throw.
	 * @return the details by name, which no other has; nothing of a client's identity
	 */
	Map<String, Object> details();

}
