package dev.ratelimit.store.redis.datacenter;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.rule.PoolTerms;
import dev.ratelimit.rule.RuleScope;
import dev.ratelimit.store.Limit;

/**
 * A limit that several data centres share, as ready arguments of its scripts. Tested by
 * {@code SharedPoolsTests}.
 */
final class PooledLimit {

	/** How much longer than its content a key lives. */
	static final byte[] SLACK_MILLIS = ascii("100");

	private final List<byte[]> windows = new ArrayList<>();

	private final List<byte[]> open;

	private final List<byte[]> closed;

	PooledLimit(Limit limit, RuleScope.Everywhere scope, DataCenters dataCenters) {
		List<byte[]> numbers = new ArrayList<>();
		for (int i = 0; i < limit.size(); i++) {
			PoolTerms each = dataCenters.terms(scope, limit.count(i));
			byte[] window = number(limit.windowMicros(i) / 1000);
			this.windows.add(window);
			numbers.add(window);
			numbers.add(number(each.threshold()));
			numbers.add(number(each.share()));
			numbers.add(number(each.pool()));
			numbers.add(number(each.bound()));
		}
		this.open = arguments("open", dataCenters, numbers);
		this.closed = arguments("closed", dataCenters, numbers);
	}

	private static List<byte[]> arguments(String pool, DataCenters dataCenters, List<byte[]> numbers) {
		List<byte[]> arguments = new ArrayList<>(numbers.size() + 2);
		arguments.add(SLACK_MILLIS);
		arguments.add(ascii(pool + " " + String.join(" ", dataCenters.peers())));
		arguments.addAll(numbers);
		return List.copyOf(arguments);
	}

	/** The lengths of the windows in milliseconds. */
	List<byte[]> windows() {
		return this.windows;
	}

	/**
	 * The arguments of the limit.
	 * @param isOpen whether anything may be taken from the pool
	 * @return the same object with every call
	 */
	List<byte[]> arguments(boolean isOpen) {
		return isOpen ? this.open : this.closed;
	}

	static byte[] number(long number) {
		return ascii(Long.toString(number));
	}

	static byte[] ascii(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

}
