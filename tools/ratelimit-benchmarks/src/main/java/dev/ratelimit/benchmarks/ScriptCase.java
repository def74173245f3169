package dev.ratelimit.benchmarks;

import java.util.List;
import java.util.function.LongFunction;

/**
 * A script and its calls, repeated until it is in the measured state and from then on.
 *
 * @param title the name in tables
 * @param text the script
 * @param decisions the number of decisions per call
 * @param preparation the number of calls that lead to the measured state
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
