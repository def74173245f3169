package dev.ratelimit.limiter;

import java.nio.ByteBuffer;
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

	/** What is read of a text that is no address. */
	private static final byte[] NONE = {};

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
					return NONE;
				}
				bytes[part++] = (byte) value;
				value = -1;
			}
			else if (c < '0' || c > '9' || value == 0) {
				return NONE;
			}
			else {
				value = Math.max(value, 0) * 10 + (c - '0');
				if (value > 255) {
					return NONE;
				}
			}
		}
		return (part == IPV4_LENGTH) ? bytes : NONE;
	}

	private static byte[] ipv6(String text) {
		int zone = text.indexOf('%');
		String address = (zone < 0) ? text : text.substring(0, zone);
		String[] parts = address.split(":", -1);
		int last = parts.length - 1;
		ByteBuffer bytes = ByteBuffer.allocate(IPV6_LENGTH);
		int gap = -1;
		// At either end, a gap leaves a second empty part.
		int end = address.endsWith("::") ? last : parts.length;
		for (int i = address.startsWith("::") ? 1 : 0; i < end; i++) {
			int group = hex(parts[i]);
			byte[] dotted = (group < 0 && i == last) ? ipv4(parts[i]) : NONE;
			if (parts[i].isEmpty() && i > 0 && i < last && gap < 0) {
				gap = bytes.position();
			}
			else if (dotted.length > 0 && bytes.remaining() >= IPV4_LENGTH) {
				bytes.put(dotted);
			}
			else if (group >= 0 && bytes.hasRemaining()) {
				bytes.putShort((short) group);
			}
			else {
				return NONE;
			}
		}
		if ((gap < 0) == bytes.hasRemaining()) {
			return NONE;
		}
		if (gap >= 0) {
			int afterGap = gap + bytes.remaining();
			System.arraycopy(bytes.array(), gap, bytes.array(), afterGap, bytes.position() - gap);
			Arrays.fill(bytes.array(), gap, afterGap, (byte) 0);
		}
		return bytes.array();
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
