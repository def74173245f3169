package dev.ratelimit.limiter;

import java.util.Arrays;
import java.util.Optional;

/**
 * An IP address read from its literal, without a name look-up. An IPv6 address that only
 * carries an IPv4 address ({@code ::ffff:0:0/96}, {@code 64:ff9b::/96}) is that IPv4
 * address.
 */
public final class IpAddress {

	private static final int IPV4_LENGTH = 4;

	private static final int IPV6_LENGTH = 16;

	private static final int GROUPS = 8;

	private static final byte[] MAPPED = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1 };

	private static final byte[] NAT64 = { 0, 0x64, -1, (byte) 0x9b, 0, 0, 0, 0, 0, 0, 0, 0 };

	private final byte[] bytes;

	private IpAddress(byte[] bytes) {
		this.bytes = bytes;
	}

	/**
	 * Parse an address.
	 * @param literal dotted IPv4 without leading zeros, or IPv6; a zone is dropped
	 * @return the address; empty if the text is not such a literal
	 */
	public static Optional<IpAddress> parse(String literal) {
		byte[] bytes = (literal.indexOf(':') < 0) ? ipv4(literal) : ipv6(literal);
		return (bytes.length > 0) ? Optional.of(new IpAddress(unmapped(bytes))) : Optional.empty();
	}

	private static byte[] unmapped(byte[] bytes) {
		if (bytes.length == IPV6_LENGTH && (startsWith(bytes, MAPPED) || startsWith(bytes, NAT64))) {
			return Arrays.copyOfRange(bytes, IPV6_LENGTH - IPV4_LENGTH, IPV6_LENGTH);
		}
		return bytes;
	}

	private static boolean startsWith(byte[] bytes, byte[] prefix) {
		return Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
	}

	private static byte[] ipv4(String text) {
		byte[] bytes = new byte[IPV4_LENGTH];
		int part = 0;
		int value = -1;
		for (int i = 0; i <= text.length(); i++) {
			char c = (i < text.length()) ? text.charAt(i) : '.';
			if (c == '.') {
				if (value < 0 || part == IPV4_LENGTH) {
					return new byte[0];
				}
				bytes[part++] = (byte) value;
				value = -1;
			}
			else if (c < '0' || c > '9' || value == 0) {
				return new byte[0];
			}
			else {
				value = Math.max(value, 0) * 10 + (c - '0');
				if (value > 255) {
					return new byte[0];
				}
			}
		}
		return (part == IPV4_LENGTH) ? bytes : new byte[0];
	}

	private static byte[] ipv6(String text) {
		int zone = text.indexOf('%');
		String address = (zone < 0) ? text : text.substring(0, zone);
		int gap = address.indexOf("::");
		if (gap < 0) {
			int[] groups = groups(address);
			return (groups.length == GROUPS) ? bytes(groups, new int[0]) : new byte[0];
		}
		String tail = address.substring(gap + 2);
		int[] before = groups(address.substring(0, gap));
		int[] after = groups(tail);
		boolean broken = (before.length == 0 && gap > 0) || (after.length == 0 && !tail.isEmpty())
				|| before.length + after.length >= GROUPS || address.substring(0, gap).indexOf('.') >= 0;
		return broken ? new byte[0] : bytes(before, after);
	}

	/**
	 * The 16-bit groups of a part of an IPv6 address; empty if the part is empty or
	 * malformed.
	 */
	private static int[] groups(String text) {
		if (text.isEmpty()) {
			return new int[0];
		}
		String[] parts = text.split(":", -1);
		int[] groups = new int[parts.length + 1];
		int count = 0;
		for (int i = 0; i < parts.length; i++) {
			String part = parts[i];
			if (i == parts.length - 1 && part.indexOf('.') >= 0) {
				byte[] ipv4 = ipv4(part);
				if (ipv4.length == 0) {
					return new int[0];
				}
				groups[count++] = ((ipv4[0] & 0xff) << 8) | (ipv4[1] & 0xff);
				groups[count++] = ((ipv4[2] & 0xff) << 8) | (ipv4[3] & 0xff);
			}
			else {
				int group = hex(part);
				if (group < 0) {
					return new int[0];
				}
				groups[count++] = group;
			}
		}
		return Arrays.copyOf(groups, count);
	}

	private static int hex(String text) {
		if (text.isEmpty() || text.length() > 4) {
			return -1;
		}
		int value = 0;
		for (int i = 0; i < text.length(); i++) {
			char c = text.charAt(i);
			int digit = (c < 128) ? Character.digit(c, 16) : -1;
			if (digit < 0) {
				return -1;
			}
			value = (value << 4) | digit;
		}
		return value;
	}

	private static byte[] bytes(int[] before, int[] after) {
		byte[] bytes = new byte[IPV6_LENGTH];
		for (int i = 0; i < before.length; i++) {
			bytes[2 * i] = (byte) (before[i] >> 8);
			bytes[2 * i + 1] = (byte) before[i];
		}
		for (int i = 0; i < after.length; i++) {
			int group = GROUPS - after.length + i;
			bytes[2 * group] = (byte) (after[i] >> 8);
			bytes[2 * group + 1] = (byte) after[i];
		}
		return bytes;
	}

	/**
	 * Whether this is an IPv6 address.
	 * @return whether it has 128 bits
	 */
	boolean isIpv6() {
		return this.bytes.length == IPV6_LENGTH;
	}

	/** This address with all bits after the prefix set to zero. */
	IpAddress network(int prefixBits) {
		byte[] network = this.bytes.clone();
		for (int i = prefixBits; i < 8 * network.length; i++) {
			network[i >> 3] &= (byte) ~(0x80 >> (i & 7));
		}
		return new IpAddress(network);
	}

	boolean sharesPrefix(IpAddress other, int prefixBits) {
		if (this.bytes.length != other.bytes.length) {
			return false;
		}
		for (int i = 0; i < prefixBits; i++) {
			int mask = 0x80 >> (i & 7);
			if ((this.bytes[i >> 3] & mask) != (other.bytes[i >> 3] & mask)) {
				return false;
			}
		}
		return true;
	}

	/**
	 * The address by which a client is counted: IPv4 in full, IPv6 cut to its prefix.
	 * @param ipv6Prefix how many bits of an IPv6 address identify a client
	 * @return one text per client, at most 39 characters
	 */
	String clientText(int ipv6Prefix) {
		StringBuilder text = new StringBuilder(39);
		if (!isIpv6()) {
			for (int i = 0; i < IPV4_LENGTH; i++) {
				text.append((i == 0) ? "" : ".").append(this.bytes[i] & 0xff);
			}
			return text.toString();
		}
		int groups = (ipv6Prefix + 15) / 16;
		for (int i = 0; i < groups; i++) {
			int group = ((this.bytes[2 * i] & 0xff) << 8) | (this.bytes[2 * i + 1] & 0xff);
			int dropped = Math.max(0, 16 * (i + 1) - ipv6Prefix);
			text.append((i == 0) ? "" : ":").append(Integer.toHexString((group >> dropped) << dropped));
		}
		return (groups < GROUPS) ? text.append("::").toString() : text.toString();
	}

	@Override
	public String toString() {
		return clientText(128);
	}

}
