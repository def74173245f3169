package dev.ratelimit.test;

import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;

/**
 * Resets the counts and the clock before each test method, and before the test class's
 * own set-up methods. Registered for every test on the class path; it does nothing unless
 * the test uses test rate limits.
 */
class RateLimitResetTestExecutionListener implements TestExecutionListener {

	@Override
	public void beforeTestMethod(TestContext test) {
		if (test.hasApplicationContext()) {
			test.getApplicationContext().getBeanProvider(TestState.class).forEach(TestState::clear);
		}
	}

}
