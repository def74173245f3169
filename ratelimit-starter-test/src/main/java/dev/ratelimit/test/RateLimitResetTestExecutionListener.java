package dev.ratelimit.test;

import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;

/**
 * Resets the counts and the clock before each test method, and before what a test class
 * itself does then. Registered for every test of the class path: it does nothing where
 * the limits are not those of a test.
 */
class RateLimitResetTestExecutionListener implements TestExecutionListener {

	@Override
	public void beforeTestMethod(TestContext test) {
		if (test.hasApplicationContext()) {
			test.getApplicationContext()
				.getBeanProvider(TestRateLimitStore.class)
				.ifAvailable(TestRateLimitStore::reset);
		}
	}

}
