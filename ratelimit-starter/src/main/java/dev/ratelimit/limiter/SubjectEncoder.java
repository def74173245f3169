package dev.ratelimit.limiter;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.KeySource;
import dev.ratelimit.store.Subject;

/**
 * Encodes clients as subjects. Injective and typed: a header value {@code 1.2.3.4} is
 * never the address 1.2.3.4, and no text of a client appears. Only a single address is
 * readable. Every other key is 128 bits of SHA-256 over its typed, length-prefixed parts,
 * or of HMAC-SHA-256 if there is a secret. Costs one hash per encoded key and no look-up.
 * What a rule requests for a recent client is cached, and costs neither.
 */
public final class SubjectEncoder {

	private static final int HASH_BYTES = 16;

	private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

	private static final Subject GLOBAL = new Subject("g");

	private static final Subject KEYLESS = new Subject("k");

	private static final KeySource ADDRESS = new KeySource(KeySource.Kind.IP, "");

	private static final Pattern HASH = Pattern.compile("h[A-Za-z0-9_-]{22}");

	private static final int FINGERPRINT_BYTES = 16;

	private static final char HASHED_ADDRESS = 'a';

	private final Hash hash;

	private final int ipv6Prefix;

	private final RecentRequests recent = new RecentRequests();

	/**
	 * Create an encoder.
	 * @param ipv6Prefix how many bits of an IPv6 address identify a client
	 * @param secret the secret of the HMAC; empty for plain hashes
	 * @throws InvalidRuleException if the prefix is not 1 to 128
	 */
	public SubjectEncoder(int ipv6Prefix, String secret) {
		if (ipv6Prefix < 1 || ipv6Prefix > 128) {
			throw new InvalidRuleException("ipv6-prefix", Integer.toString(ipv6Prefix), "is out of range",
					"A prefix is 1 to 128 bits long; 64 is what one customer gets at least");
		}
		this.ipv6Prefix = ipv6Prefix;
		this.hash = hash(secret);
		// Fails at the start, not per request, if a provider cannot copy its algorithm.
		digest(new byte[0]);
	}

	/**
	 * Tell two encoders apart that encode the same clients differently.
	 * @param text a text
	 * @return a hash of it, which depends on the settings of this encoder
	 */
	public String fingerprint(String text) {
		byte[] hash = digest((this.ipv6Prefix + " " + text).getBytes(StandardCharsets.UTF_8));
		return HexFormat.of().formatHex(hash, 0, FINGERPRINT_BYTES);
	}

	/**
	 * Create the request of a rule for a key of one value. A recent client gets the same
	 * request again, for which nothing is allocated.
	 * @param rule the rule
	 * @param value the value of its only key source
	 * @param plan the plan of the client, if it has one
	 * @param cost how many permits the request costs; at least 1
	 * @return the request
	 */
	public RuleRequest byKey(CompiledRule rule, String value, Optional<String> plan, long cost) {
		RuleRequest known = this.recent.find(rule, value, plan, cost);
		return (known != null) ? known : byKey(rule, List.of(value), plan, cost);
	}

	/**
	 * Create the request of a rule for a key. A recent client gets the same request
	 * again.
	 * @param rule the rule
	 * @param values one value per key source of the rule, in the same order
	 * @param plan the plan of the client, if it has one
	 * @param cost how many permits the request costs; at least 1
	 * @return the request
	 */
	public RuleRequest byKey(CompiledRule rule, List<String> values, Optional<String> plan, long cost) {
		RuleRequest known = this.recent.find(rule, values, plan, cost);
		if (known != null) {
			return known;
		}
		RuleRequest ruleRequest = new RuleRequest(rule, rule.allowance(values, plan),
				encode(rule.config().key().sources(), values), cost);
		this.recent.add(ruleRequest, values, plan);
		return ruleRequest;
	}

	/**
	 * Drop the cached requests of recent clients, and with them the rules that are no
	 * longer in force. A decision that began under the old rules may cache a request of
	 * one again, which remains until it is replaced or until the next call.
	 */
	public void clearRecent() {
		this.recent.clear();
	}

	/**
	 * Create the request of a rule for a client without its key, which is counted by its
	 * address.
	 * @param rule the rule
	 * @param address the address
	 * @param plan the plan of the client, if it has one
	 * @param cost how many permits the request costs; at least 1
	 * @return the request
	 */
	public RuleRequest byAddress(CompiledRule rule, String address, Optional<String> plan, long cost) {
		return new RuleRequest(rule, rule.allowance(plan), address(address), cost);
	}

	/**
	 * Create the request of a rule for a client without its key, which shares one bucket
	 * with all others of that kind.
	 * @param rule the rule
	 * @param plan the plan of the client, if it has one
	 * @param cost how many permits the request costs; at least 1
	 * @return the request
	 */
	public RuleRequest keyless(CompiledRule rule, Optional<String> plan, long cost) {
		return new RuleRequest(rule, rule.allowance(plan), KEYLESS, cost);
	}

	/**
	 * Create the request of a rule for a client of which only the subject is known.
	 * @param rule the rule
	 * @param subject the client
	 * @param plan the plan of the client, if it has one
	 * @return a request for one permit. An override that names an address range of
	 * several clients beside another key source is not found, because a subject does not
	 * show that it is in the range
	 */
	public RuleRequest bySubject(CompiledRule rule, Subject subject, Optional<String> plan) {
		List<KeySource> sources = rule.config().key().sources();
		if (isAddress(subject) && sources.equals(List.of(ADDRESS))) {
			return new RuleRequest(rule, rule.allowance(List.of(address(subject)), plan), subject, 1);
		}
		return new RuleRequest(rule, rule.allowance(subject, (key) -> encode(sources, key), plan), subject, 1);
	}

	/**
	 * A name for a client that does not reveal its identity. It is the same on all
	 * instances with the same secret. Without a secret the hash of an address can be
	 * found by trial and error.
	 * @param subject the client
	 * @return the text that is stored; for an address its hash instead, behind the letter
	 * {@code a}
	 */
	public String hash(Subject subject) {
		return isAddress(subject)
				? HASHED_ADDRESS + hashed(List.of(ADDRESS), List.of(address(subject))).text().substring(1)
				: subject.text();
	}

	/**
	 * Find the client from which a name was made.
	 * @param hash a name that {@link #hash} may have made
	 * @param known clients whose addresses are tried
	 * @return the client; empty if it is an address that is not among them, or if the
	 * text is not such a name
	 */
	public Optional<Subject> ofHash(String hash, Collection<Subject> known) {
		if (hash.equals(GLOBAL.text()) || hash.equals(KEYLESS.text()) || HASH.matcher(hash).matches()) {
			return Optional.of(new Subject(hash));
		}
		return known.stream().filter((subject) -> hash(subject).equals(hash)).findFirst();
	}

	/**
	 * The address in a subject, which is the only readable key.
	 * @param subject the client
	 * @return the address, cut to its prefix; empty for a client that is not counted by
	 * its address
	 */
	public static Optional<String> addressOf(Subject subject) {
		return isAddress(subject) ? Optional.of(address(subject)) : Optional.empty();
	}

	private static boolean isAddress(Subject subject) {
		return subject.text().charAt(0) == 'i';
	}

	private static String address(Subject subject) {
		return subject.text().substring(1);
	}

	Subject encode(List<KeySource> sources, List<String> values) {
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

	private Subject address(String address) {
		return IpAddress.parse(address)
			.map((ip) -> new Subject("i" + ip.clientText(this.ipv6Prefix)))
			.orElseGet(() -> hashed(List.of(ADDRESS), List.of(address)));
	}

	private Subject hashed(List<KeySource> sources, List<String> values) {
		String[] parts = new String[sources.size()];
		int length = 0;
		for (int i = 0; i < parts.length; i++) {
			KeySource source = sources.get(i);
			parts[i] = source.kind().text() + ':' + canonical(source, values.get(i));
			length += Integer.BYTES + Character.BYTES * parts[i].length();
		}
		ByteBuffer tuple = ByteBuffer.allocate(length);
		for (String part : parts) {
			tuple.putInt(part.length());
			// Not UTF-8, which encodes all unpaired surrogates alike.
			for (int i = 0; i < part.length(); i++) {
				tuple.putChar(part.charAt(i));
			}
		}
		byte[] digest = digest(tuple.array());
		return new Subject("h" + BASE64.encodeToString(Arrays.copyOf(digest, HASH_BYTES)));
	}

	private String canonical(KeySource source, String value) {
		if (source.kind() != KeySource.Kind.IP) {
			return value;
		}
		return IpAddress.parse(value).map((ip) -> ip.clientText(this.ipv6Prefix)).orElse(value);
	}

	private static Hash hash(String secret) {
		try {
			if (secret.isEmpty()) {
				MessageDigest prototype = MessageDigest.getInstance("SHA-256");
				return (bytes) -> ((MessageDigest) prototype.clone()).digest(bytes);
			}
			Mac prototype = Mac.getInstance("HmacSHA256");
			prototype.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
			return (bytes) -> ((Mac) prototype.clone()).doFinal(bytes);
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("This Java runtime lacks SHA-256 or HmacSHA256", ex);
		}
	}

	private byte[] digest(byte[] bytes) {
		try {
			return this.hash.of(bytes);
		}
		catch (CloneNotSupportedException ex) {
			throw new IllegalStateException("This Java runtime cannot copy SHA-256 or HmacSHA256", ex);
		}
	}

	/** Looking the algorithm up per request would cost more than the hash itself. */
	@FunctionalInterface
	private interface Hash {

		byte[] of(byte[] bytes) throws CloneNotSupportedException;

	}

}
