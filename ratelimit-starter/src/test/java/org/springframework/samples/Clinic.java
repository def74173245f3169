package org.springframework.samples;

import dev.ratelimit.RateLimited;

/**
 * A bean of such an application.
 */
public class Clinic {

	@RateLimited(thresholds = "1/1h", key = "arg:pet")
	public String visit(String pet) {
		return pet;
	}

}
