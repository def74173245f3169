package dev.ratelimit.benchmarks;

import java.util.List;
import java.util.function.LongFunction;

/**
 * A script and how it is called, again and again, until it is in the state that is
 * measured and from then on.
 *
 * @param title the name in tables
 * @param text the script
 * @param decisions how many decisions a call makes
 * @param preparation how many calls lead to the state that is measured
 * @param call the keys and arguments of a call by its number, counted from 0
 */
record ScriptCase(String title, String text, int decisions, int preparation, LongFunction<Call> call) {

	/**
	 * One call.
	 *
	 * @param keys its keys
	 * @param arguments its arguments
	 */
	record Call(List<String> keys, List<String> arguments) {
	}

}
