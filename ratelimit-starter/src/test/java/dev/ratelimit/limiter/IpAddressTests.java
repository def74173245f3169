package dev.ratelimit.limiter;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class IpAddressTests {

	private static final String BYTE = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";

	private static final String IPV4 = BYTE + "(?:\\." + BYTE + "){3}";

	/** The grammar of RFC 3986, rule by rule. */
	private static final Pattern IPV6 = Pattern.compile(ipv6Grammar());

	private static String ipv6Grammar() {
		String group = "[0-9A-Fa-f]{1,4}";
		String end = "(?:" + group + ":" + group + "|" + IPV4 + ")";
		String elided = IntStream.rangeClosed(0, 4)
			.mapToObj((i) -> upTo(4 - i, group) + "::(?:" + group + ":){" + i + "}" + end)
			.collect(Collectors.joining("|"));
		return "(?:" + group + ":){6}" + end + "|::(?:" + group + ":){5}" + end + "|" + elided + "|" + upTo(5, group)
				+ "::" + group + "|" + upTo(6, group) + "::";
	}

	private static String upTo(int more, String group) {
		return "(?:(?:" + group + ":){0," + more + "}" + group + ")?";
	}

	private final SplittableRandom random = new SplittableRandom(42);

	@ParameterizedTest
	@CsvSource({ "1.2.3.4, 1.2.3.4", "0.0.0.0, 0.0.0.0", "255.255.255.255, 255.255.255.255",
			"2001:DB8::1, 2001:db8:0:0:0:0:0:1", "::, 0:0:0:0:0:0:0:0", "::1, 0:0:0:0:0:0:0:1",
			"1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0", "::2:3:4:5:6:7:8, 0:2:3:4:5:6:7:8", "1::1.2.3.4, 1:0:0:0:0:0:102:304",
			"fe80::1%eth0, fe80:0:0:0:0:0:0:1" })
	void readsLiterals(String literal, String text) {
		assertThat(IpAddress.parse(literal)).map(IpAddress::toString).contains(text);
	}

	@ParameterizedTest
	@ValueSource(strings = { "::ffff:1.2.3.4", "::FFFF:1.2.3.4", "::ffff:0102:0304", "::ffff:102:304",
			"0:0:0:0:0:ffff:1.2.3.4", "64:ff9b::1.2.3.4", "64:ff9b::102:304", "::ffff:1.2.3.4%eth0" })
	void isTheIpv4AddressThatItMerelyCarries(String literal) {
		assertThat(IpAddress.parse(literal)).map((address) -> address.clientText(64)).contains("1.2.3.4");
	}

	@ParameterizedTest
	@ValueSource(strings = { "::1.2.3.4", "64:ff9b:1::1.2.3.4", "::fffe:1.2.3.4", "1::ffff:1.2.3.4" })
	void staysIpv6WhereOnlySomethingLooksLikeIpv4(String literal) {
		assertThat(IpAddress.parse(literal)).map(IpAddress::isIpv6).contains(true);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", ".", ":", "1", "1.2.3", "1.2.3.4.", ".1.2.3.4", "1..2.3", "1.2.3.4.5",
			"256.1.1.1", "1.2.3.999", "99999999999.1.1.1", "010.0.0.1", "00.0.0.0", "1.2.3.04", "0x01020304",
			"0x1.2.3.4", "16909060", "-1.2.3.4", "+1.2.3.4", "1.2.3.4 ", " 1.2.3.4", "1.2.3.4\u200b", "1.2.3.4%eth0",
			"1.2.3.4:80", "[1.2.3.4]", "\u0661.2.3.4", "localhost", "unknown", "_hidden", ":::", "1::2::3", "::1::",
			"1:::2", ":1:2:3:4:5:6:7", "1:2:3:4:5:6:7:", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4::5:6:7:8",
			"12345::", "g::", "::g", "1:2:3:4:5:6:7:1.2.3.4", "1.2.3.4::", "::1.2.3.4:5", "::1.2.3", "::01.2.3.4",
			"[::1]", "%eth0", "%", "::\uff11", "::-1", "::+1" })
	void readsNothingElse(String text) {
		assertThat(IpAddress.parse(text)).isEmpty();
	}

	@Test
	void oneAddressHasOneTextHoweverItIsSpelled() throws UnknownHostException {
		byte[] address = { 0x20, 0x01, 0x0d, (byte) 0xb8, 0, 0, 0, 0, 0, 0x0a, 0, 0, 0, 0, 0, 0x01 };
		Set<String> spellings = new HashSet<>();
		Set<String> texts = new HashSet<>();
		for (int i = 0; i < 100_000; i++) {
			String spelling = spell(address);
			spellings.add(spelling);
			texts.add(IpAddress.parse(spelling).orElseThrow().clientText(128));
		}
		assertThat(spellings).hasSizeGreaterThan(1000);
		assertThat(texts).containsExactly("2001:db8:0:0:a:0:0:1");
	}

	@Test
	void readsEverySpellingOfEveryAddressAsJavaWritesIt() throws UnknownHostException {
		for (int i = 0; i < 50_000; i++) {
			byte[] address = randomAddress();
			String spelling = spell(address);
			assertThat(IpAddress.parse(spelling)).as(spelling)
				.map(IpAddress::toString)
				.contains(InetAddress.getByAddress(address).getHostAddress());
		}
	}

	@Test
	void acceptsExactlyTheGrammar() {
		Pattern ipv4 = Pattern.compile(IPV4);
		int accepted = 0;
		for (int i = 0; i < 100_000; i++) {
			String text = mutate(this.random.nextBoolean() ? spell(randomAddress()) : "10.0.25.199");
			boolean valid = ipv4.matcher(text).matches() || IPV6.matcher(withoutZone(text)).matches();
			assertThat(IpAddress.parse(text).isPresent()).as(text).isEqualTo(valid);
			accepted += valid ? 1 : 0;
		}
		assertThat(accepted).isBetween(10_000, 90_000);
	}

	@Test
	void twoAddressesAreOneClientExactlyWhenTheyShareThePrefix() {
		for (int i = 0; i < 50_000; i++) {
			byte[] address = randomAddress();
			address[0] = 0x20;
			int flipped = 8 + this.random.nextInt(120);
			byte[] other = address.clone();
			other[flipped / 8] ^= (byte) (0x80 >> (flipped % 8));
			int prefix = 1 + this.random.nextInt(128);
			String text = IpAddress.parse(spell(address)).orElseThrow().clientText(prefix);
			String otherText = IpAddress.parse(spell(other)).orElseThrow().clientText(prefix);
			assertThat(text.equals(otherText)).as("%s and %s by /%d", text, otherText, prefix)
				.isEqualTo(flipped >= prefix);
			assertThat(text).hasSizeLessThanOrEqualTo(39);
		}
	}

	@Test
	void ipv4IsNeverCut() {
		assertThat(IpAddress.parse("1.2.3.4")).map((address) -> address.clientText(1)).contains("1.2.3.4");
	}

	private byte[] randomAddress() {
		byte[] address = new byte[16];
		for (int i = 0; i < 16; i += 2) {
			if (this.random.nextBoolean()) {
				address[i] = (byte) this.random.nextInt(this.random.nextBoolean() ? 1 : 256);
				address[i + 1] = (byte) this.random.nextInt(256);
			}
		}
		return address;
	}

	/** Any way to write it: zeros led or elided, either case, an IPv4 tail, a zone. */
	private String spell(byte[] address) {
		boolean dotted = this.random.nextInt(4) == 0;
		List<String> parts = new ArrayList<>();
		for (int i = 0; i < (dotted ? 6 : 8); i++) {
			parts.add(group(address, i));
		}
		int gapStart = this.random.nextInt(parts.size() + 1);
		int gapEnd = gapStart;
		while (gapEnd < parts.size() && Integer.parseInt(parts.get(gapEnd), 16) == 0) {
			gapEnd++;
		}
		if (dotted) {
			parts.add((address[12] & 0xff) + "." + (address[13] & 0xff) + "." + (address[14] & 0xff) + "."
					+ (address[15] & 0xff));
		}
		String text = String.join(":", parts);
		if (gapEnd > gapStart) {
			text = String.join(":", parts.subList(0, gapStart)) + "::"
					+ String.join(":", parts.subList(gapEnd, parts.size()));
		}
		return text + ((this.random.nextInt(10) == 0) ? "%eth0" : "");
	}

	private String group(byte[] address, int index) {
		int value = ((address[2 * index] & 0xff) << 8) | (address[2 * index + 1] & 0xff);
		String hex = Integer.toHexString(value);
		String led = "0".repeat(this.random.nextInt(5 - hex.length())) + hex;
		return this.random.nextBoolean() ? led : led.toUpperCase(Locale.ROOT);
	}

	private String mutate(String text) {
		String alphabet = "0123456789abcdefABCDEF::::....g %";
		StringBuilder mutated = new StringBuilder(text);
		for (int i = this.random.nextInt(3); i > 0 && mutated.length() > 0; i--) {
			int place = this.random.nextInt(mutated.length());
			char c = alphabet.charAt(this.random.nextInt(alphabet.length()));
			switch (this.random.nextInt(3)) {
				case 0 -> mutated.insert(place, c);
				case 1 -> mutated.deleteCharAt(place);
				default -> mutated.setCharAt(place, c);
			}
		}
		return mutated.toString();
	}

	private static String withoutZone(String text) {
		int zone = text.indexOf('%');
		return (zone < 0) ? text : text.substring(0, zone);
	}

}
