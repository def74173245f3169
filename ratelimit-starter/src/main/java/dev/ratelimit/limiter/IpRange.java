package dev.ratelimit.limiter;

import dev.ratelimit.rule.InvalidRuleException;

/**
 * A range of addresses in CIDR notation, or a single address.
 */
public final class IpRange {

	private final IpAddress network;

	private final int prefixBits;

	/**
	 * Create the range with the given number of leading bits that contains an address.
	 * @param address any address of the range
	 * @param prefixBits how many leading bits are fixed
	 */
	IpRange(IpAddress address, int prefixBits) {
		this.network = address.network(prefixBits);
		this.prefixBits = prefixBits;
	}

	/**
	 * Parse a range.
	 * @param property the setting that contains the text, for error messages
	 * @param text an address literal, alone or with {@code /bits}; not a host name,
	 * because names are never looked up
	 * @return the range
	 * @throws InvalidRuleException if the text is not such a range
	 */
	public static IpRange parse(String property, String text) {
		String trimmed = text.trim();
		int slash = trimmed.indexOf('/');
		String address = (slash < 0) ? trimmed : trimmed.substring(0, slash);
		IpAddress network = IpAddress.parse(address)
			.orElseThrow(() -> invalid(property, text, "is not an address or CIDR range"));
		int all = network.isIpv6() ? 128 : 32;
		int bits = all;
		if (slash >= 0) {
			String digits = trimmed.substring(slash + 1);
			bits = digits.matches("[0-9]{1,3}") ? Integer.parseInt(digits) : -1;
			if (bits < 0 || bits > all) {
				throw invalid(property, text, "has a prefix outside 0 to " + all);
			}
		}
		return new IpRange(network, bits);
	}

	private static InvalidRuleException invalid(String property, String text, String reason) {
		return new InvalidRuleException(property, text, reason,
				"Write for example 10.0.0.0/8, 192.168.1.7 or 2001:db8::/32; host names are not looked up");
	}

	/**
	 * Whether an address lies in this range.
	 * @param address the address
	 * @return whether it does
	 */
	public boolean contains(IpAddress address) {
		return this.network.sharesPrefix(address, this.prefixBits);
	}

	/**
	 * The length of the prefix: the longer it is, the narrower is the range.
	 * @return how many leading bits are fixed
	 */
	int prefixBits() {
		return this.prefixBits;
	}

	/** The first address of the range. */
	IpAddress network() {
		return this.network;
	}

	boolean isIpv6() {
		return this.network.isIpv6();
	}

	/**
	 * Whether this range contains all addresses.
	 * @return whether its prefix is empty
	 */
	public boolean isEverything() {
		return this.prefixBits == 0;
	}

	/**
	 * The range in CIDR notation.
	 * @return the same text for every spelling of a range, such as {@code 10.0.0.0/8}
	 */
	@Override
	public String toString() {
		return this.network.clientText(this.prefixBits) + "/" + this.prefixBits;
	}

}
