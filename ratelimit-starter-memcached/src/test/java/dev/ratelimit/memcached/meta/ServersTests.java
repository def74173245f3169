package dev.ratelimit.memcached.meta;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which server counts which client, and which servers can be used.
 */
class ServersTests {

	private static final List<String> NAMES = List.of("10.0.0.1:11211", "10.0.0.2:11211", "10.0.0.3:11212");

	/** Computed by another program. */
	private static final List<Integer> EXPECTED = List.of(0, 2, 1, 0, 2, 1, 0, 0);

	private static byte[] key(int i) {
		return ("rl:shop:login:i10.0.0." + i).getBytes(StandardCharsets.US_ASCII);
	}

	/** All instances agree, whatever their release and the order of their servers. */
	@Test
	void aKeyStaysOnItsServer() {
		RendezvousHash hash = new RendezvousHash(NAMES);
		RendezvousHash reversed = new RendezvousHash(List.of(NAMES.get(2), NAMES.get(1), NAMES.get(0)));
		assertThat(IntStream.range(0, 8).map((i) -> hash.serverOf(key(i))).boxed().toList()).isEqualTo(EXPECTED);
		assertThat(IntStream.range(0, 8).map((i) -> 2 - reversed.serverOf(key(i))).boxed().toList())
			.isEqualTo(EXPECTED);
	}

	@Test
	void everyServerHasItsPartAndOneMoreMovesNoKeysBetweenTheOthers() {
		RendezvousHash before = new RendezvousHash(NAMES);
		List<String> more = new ArrayList<>(NAMES);
		more.add("10.0.0.4:11211");
		RendezvousHash after = new RendezvousHash(more);
		int[] keys = new int[more.size()];
		for (int i = 0; i < 10_000; i++) {
			int server = after.serverOf(key(i));
			keys[server]++;
			assertThat(server).isIn(before.serverOf(key(i)), 3);
		}
		assertThat(IntStream.of(keys)).allMatch((count) -> count > 1_500 && count < 3_500);
	}

	@ParameterizedTest
	@CsvSource({ "cache, cache, 11211", "cache-1.example.com:11212, cache-1.example.com, 11212",
			"10.0.0.1:1, 10.0.0.1, 1", "[::1]:11212, ::1, 11212", "[::1], ::1, 11211" })
	void anAddressIsAHostAndAPort(String text, String host, int port) {
		assertThat(ServerAddress.of(text)).contains(new ServerAddress(host, port));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", ":11211", "a:b", "a:0", "a:65536", "a b:1", "::1", "a:1:2", "a:" })
	void anythingElseIsNoAddress(String text) {
		assertThat(ServerAddress.of(text)).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "VERSION 1.6.18, false", "VERSION 1.6.12, false", "VERSION 1.6.11, true", "VERSION 1.6.9, true",
			"VERSION 1.5.22, true", "VERSION 1.7.0-beta1, false", "VERSION 2.0.0, false" })
	void serversOlderThanThoseThatWereTriedAreTooOld(String line, boolean tooOld) {
		assertThat(ServerConnector.version(line).orElseThrow().compareTo(ServerConnector.OLDEST) < 0).isEqualTo(tooOld);
	}

}
