package dev.ratelimit.limiter;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import dev.ratelimit.rule.KeySource;
import dev.ratelimit.store.Subject;

/**
 * Encodes who is asking. Injective and typed: a header value {@code 1.2.3.4} is never the
 * address 1.2.3.4, and no text of a client appears. An address alone is readable; every
 * other key is 128 bits of SHA-256 over its typed, length-prefixed parts, or of
 * HMAC-SHA-256 where there is a secret. Costs one hash per encoded key and no look-up.
 */
public final class Subjects {

	private static final int HASH_BYTES = 16;

	private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

	private static final Subject GLOBAL = new Subject("g");

	private static final Subject KEYLESS = new Subject("k");

	private final Hash hash;

	private final int ipv6Prefix;

	/**
	 * Create an encoder.
	 * @param ipv6Prefix how many bits of an IPv6 address name a client
	 * @param secret the secret of the HMAC; empty for plain hashes
	 */
	public Subjects(int ipv6Prefix, String secret) {
		this.ipv6Prefix = ipv6Prefix;
		this.hash = secret.isEmpty() ? sha256() : hmacSha256(secret);
	}

	/**
	 * Encode a key.
	 * @param sources the key sources of the rule
	 * @param values their values, in the same order; ignored for {@code global}
	 * @return the subject
	 */
	public Subject encode(List<KeySource> sources, List<String> values) {
		if (sources.size() == 1) {
			KeySource.Kind kind = sources.get(0).kind();
			if (kind == KeySource.Kind.GLOBAL) {
				return GLOBAL;
			}
			if (kind == KeySource.Kind.IP) {
				return address(values.get(0));
			}
		}
		return hashed(sources, values);
	}

	/**
	 * Encode an address, for a rule that counts by it or falls back to it.
	 * @param address the address; a text that is none is hashed
	 * @return the subject
	 */
	public Subject address(String address) {
		return IpAddress.parse(address)
			.map((ip) -> new Subject("i" + ip.clientText(this.ipv6Prefix)))
			.orElseGet(() -> hashed(List.of(new KeySource(KeySource.Kind.IP, "")), List.of(address)));
	}

	/**
	 * The one subject of all requests of a rule that lack its key.
	 * @return the subject
	 */
	public Subject keyless() {
		return KEYLESS;
	}

	private Subject hashed(List<KeySource> sources, List<String> values) {
		byte[][] parts = new byte[values.size()][];
		int length = 0;
		for (int i = 0; i < parts.length; i++) {
			KeySource source = sources.get(i);
			parts[i] = (source.kind().text() + ':' + canonical(source, values.get(i))).getBytes(StandardCharsets.UTF_8);
			length += Integer.BYTES + parts[i].length;
		}
		ByteBuffer tuple = ByteBuffer.allocate(length);
		for (byte[] part : parts) {
			tuple.putInt(part.length).put(part);
		}
		byte[] digest = this.hash.of(tuple.array());
		return new Subject("h" + BASE64.encodeToString(Arrays.copyOf(digest, HASH_BYTES)));
	}

	private String canonical(KeySource source, String value) {
		if (source.kind() != KeySource.Kind.IP) {
			return value;
		}
		return IpAddress.parse(value).map((ip) -> ip.clientText(this.ipv6Prefix)).orElse(value);
	}

	private static Hash sha256() {
		try {
			MessageDigest prototype = MessageDigest.getInstance("SHA-256");
			return (bytes) -> copyOf(prototype).digest(bytes);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("This Java runtime lacks SHA-256", ex);
		}
	}

	private static Hash hmacSha256(String secret) {
		try {
			Mac prototype = Mac.getInstance("HmacSHA256");
			prototype.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
			return (bytes) -> copyOf(prototype).doFinal(bytes);
		}
		catch (NoSuchAlgorithmException | InvalidKeyException ex) {
			throw new IllegalStateException("This Java runtime lacks HmacSHA256", ex);
		}
	}

	private static MessageDigest copyOf(MessageDigest prototype) {
		try {
			return (MessageDigest) prototype.clone();
		}
		catch (CloneNotSupportedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Mac copyOf(Mac prototype) {
		try {
			return (Mac) prototype.clone();
		}
		catch (CloneNotSupportedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Looking the algorithm up per request would cost more than the hash itself. */
	@FunctionalInterface
	private interface Hash {

		byte[] of(byte[] bytes);

	}

}
