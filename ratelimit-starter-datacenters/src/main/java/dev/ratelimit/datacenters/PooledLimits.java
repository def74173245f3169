package dev.ratelimit.datacenters;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.ratelimit.store.Limit;

/**
 * How each limit is divided between the data centres, as ready arguments of its scripts,
 * computed once. Tested by {@code SharedPoolsTests}.
 */
final class PooledLimits {

	/** How much longer than its content a key lives. */
	static final byte[] SLACK_MILLIS = ascii("100");

	private final DataCenters dataCenters;

	private final Map<Limit, PooledLimit> limits = new ConcurrentHashMap<>();

	private volatile boolean open;

	PooledLimits(DataCenters dataCenters) {
		this.dataCenters = dataCenters;
	}

	/**
	 * The arguments of a limit.
	 * @param limit a limit whose scope is everywhere
	 * @return the arguments of its scripts after the cost; the same object with every
	 * call
	 */
	List<byte[]> arguments(Limit limit) {
		PooledLimit found = find(limit);
		return this.open ? found.open() : found.closed();
	}

	/** The lengths of the windows of a limit in milliseconds. */
	List<byte[]> windows(Limit limit) {
		return find(limit).windows();
	}

	/**
	 * Set whether anything may be taken from the pools. It may not before the first
	 * comparison with the other data centres, and while one of them is known to be
	 * configured differently.
	 */
	void open(boolean isOpen) {
		this.open = isOpen;
	}

	void retain(Collection<Limit> inForce) {
		this.limits.keySet().retainAll(Set.copyOf(inForce));
	}

	private PooledLimit find(Limit limit) {
		PooledLimit known = this.limits.get(limit);
		return (known != null) ? known : this.limits.computeIfAbsent(limit, this::divided);
	}

	private PooledLimit divided(Limit limit) {
		List<byte[]> windows = new ArrayList<>(limit.size());
		List<byte[]> numbers = new ArrayList<>();
		for (int i = 0; i < limit.size(); i++) {
			PoolTerms each = this.dataCenters.terms((Everywhere) limit.scope(), limit.count(i));
			byte[] window = number(limit.windowMicros(i) / 1000);
			windows.add(window);
			numbers.add(window);
			numbers.add(number(each.threshold()));
			numbers.add(number(each.share()));
			numbers.add(number(each.pool()));
			numbers.add(number(each.bound()));
		}
		return new PooledLimit(windows, arguments("open", numbers), arguments("closed", numbers));
	}

	private List<byte[]> arguments(String pool, List<byte[]> numbers) {
		List<byte[]> arguments = new ArrayList<>(numbers.size() + 2);
		arguments.add(SLACK_MILLIS);
		arguments.add(ascii(pool + " " + String.join(" ", this.dataCenters.peers())));
		arguments.addAll(numbers);
		return List.copyOf(arguments);
	}

	static byte[] number(long number) {
		return ascii(Long.toString(number));
	}

	static byte[] ascii(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

	/**
	 * A limit that several data centres share.
	 *
	 * @param windows the lengths of its windows in milliseconds
	 * @param open its arguments while something may be taken from the pool
	 * @param closed its arguments while nothing may be
	 */
	private record PooledLimit(List<byte[]> windows, List<byte[]> open, List<byte[]> closed) {
	}

}
