package dev.ratelimit.test;

/**
 * What a test leaves behind. A bean of it is cleared before each test method.
 */
interface TestState {

	/** Clear it. */
	void clear();

}
