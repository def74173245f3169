package dev.ratelimit.memcached.meta;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.wire.ErrorReply;
import dev.ratelimit.store.wire.NodeCall;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * What is written to a server and read from it, byte by byte.
 */
class MetaCodecTests {

	private static @Nullable List<MetaReply> read(String received) throws IOException {
		return read(received(received));
	}

	private static @Nullable List<MetaReply> read(ByteBuffer received) throws IOException {
		return new MetaCodec(OutputStream.nullOutputStream()).read(received);
	}

	private static ByteBuffer received(String text) {
		return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
	}

	private static MetaCall call(int reads) {
		MetaCommands commands = new MetaCommands();
		for (int i = 0; i < reads; i++) {
			commands.read("k" + i);
		}
		return new MetaCall("k", commands, NodeCall.Afterwards.NOTHING);
	}

	@Test
	void callsThatAreSentTogetherEndWithOneNoOp() throws IOException {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		MetaCommands counting = new MetaCommands();
		counting.countUp("rl:é:f1:60", 61, 5, 1_795_166_420);
		counting.countDown("a", 2);
		MetaBatch pipeline = new MetaBatch(new MetaCall("rl", counting, NodeCall.Afterwards.NOTHING), 2);
		assertThat(pipeline.add(call(1), true)).isTrue();
		MetaCodec codec = new MetaCodec(out);
		codec.write(pipeline);
		assertThat(out.size()).as("before it is flushed").isZero();
		codec.flush();
		assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("""
				ma rl:é:f1:60 N61 J5 D5 MI v t\r
				ma a D2 MD v\r
				mg k0 v t\r
				mn\r
				""");
	}

	@Test
	void aLifetimeAboveThirtyDaysIsADate() {
		MetaCommands commands = new MetaCommands();
		commands.countUp("k", 2_592_000, 1, 1_795_166_420);
		commands.countUp("k", 2_592_001, 1, 1_795_166_420);
		assertThat(commands).hasToString("ma k N2592000 J1 D1 MI v t\r\nma k N1797758421 J1 D1 MI v t\r\n");
	}

	@Test
	void repliesAreReadUpToTheNoOp() throws IOException {
		ByteBuffer received = received(
				"VA 2 t61\r\n17\r\nVA 20\r\n0                   \r\nNF\r\nEN\r\nHD\r\nMN\r\nMN\r\n");
		assertThat(read(received)).containsExactly(new MetaReply.Count(17, 61), new MetaReply.Count(0, 0),
				new MetaReply.NotFound(), new MetaReply.NotFound(), new MetaReply.Done());
		assertThat(received.hasRemaining()).isTrue();
		assertThat(read(received)).isEmpty();
		assertThat(received.hasRemaining()).isFalse();
	}

	@Test
	void nothingIsTakenOfAReplyThatIsNotWhole() throws IOException {
		String whole = "VA 2 t61\r\n17\r\nSTAT evictions 7\r\nEND\r\nNF \r\nMN\r\n";
		for (int length = 0; length < whole.length(); length++) {
			ByteBuffer part = received(whole.substring(0, length));
			assertThat(read(part)).isNull();
			assertThat(part.position()).isZero();
		}
		assertThat(read(whole)).hasSize(3);
	}

	/**
	 * Memcached before 1.6.18, to {@code md} and to an {@code ma} of a key that is gone.
	 */
	@Test
	void aReplyMayEndWithABlank() throws IOException {
		assertThat(read("HD \r\nNF \r\nMN\r\n")).containsExactly(new MetaReply.Done(), new MetaReply.NotFound());
	}

	@Test
	void whatAServerReportsOfItselfIsOneReply() throws IOException {
		MetaCommands commands = new MetaCommands();
		commands.statistics();
		assertThat(commands).hasToString("stats\r\n");
		List<MetaReply> replies = read(
				"HD\r\nSTAT pid 1\r\nSTAT evictions 7\r\nSTAT evictions_active 9\r\nEND\r\nHD\r\nMN\r\n");
		assertThat(replies).containsExactly(new MetaReply.Done(), new MetaReply.Statistics(7), new MetaReply.Done());
	}

	@Test
	void aCountThatOverflowsWithAnotherIsTheLargest() throws IOException {
		for (String count : List.of("18446744073709551615", "09223372036854775807", "05000000000000000000")) {
			assertThat(read("VA 20 t1\r\n" + count + "\r\nMN\r\n"))
				.containsExactly(new MetaReply.Count(MetaReply.Count.LARGEST, 1));
		}
	}

	@ParameterizedTest
	@CsvSource({ "SERVER_ERROR out of memory storing object, UNAVAILABLE, false",
			"ERROR Too many open connections, UNAVAILABLE, false", "CLIENT_ERROR unauthenticated, NOT_PERMITTED, true",
			"CLIENT_ERROR cannot increment or decrement non-numeric value, ERROR, false", "ERROR, ERROR, false" })
	void anErrorMeansWhatItsTextSays(String line, StoreFailure failure, boolean endsConnection) throws IOException {
		MetaReply reply = read(line + "\r\nMN\r\n").get(0);
		ErrorReply error = ((MetaReply.NotRun) reply).error();
		assertThat(error.failure()).isEqualTo(failure);
		assertThat(error.endsConnection()).isEqualTo(endsConnection);
		assertThat(error.mayHaveRun()).isFalse();
		assertThat(error.cause()).hasMessage(line);
	}

	@Test
	void aForeignValueIsAnError() throws IOException {
		assertThat(read("VA 3 t60\r\nabc\r\nMN\r\n")).singleElement().isInstanceOf(MetaReply.NotRun.class);
	}

	@Test
	void whatIsNoReplyBreaksTheConnection() {
		assertThatIOException().isThrownBy(() -> read("VA 1\r\n17\r\nMN\r\n"));
		assertThatIOException().isThrownBy(() -> read("VA 9999999\r\n1"));
		assertThatIOException().isThrownBy(() -> read("x".repeat(5000)));
	}

	@Test
	void eachCallGetsItsOwnReplies() {
		MetaBatch pipeline = new MetaBatch(call(1), 3);
		pipeline.add(call(2), false);
		pipeline.add(call(1), false);
		MetaReply error = new MetaReply.NotRun(MetaErrors.reply("SERVER_ERROR"));
		MetaReply one = new MetaReply.Count(1, 1);
		List<Object> replies = pipeline.repliesFrom(List.of(one, one, error, error));
		assertThat(replies).containsExactly(List.of(one), List.of(one, error), ((MetaReply.NotRun) error).error());
	}

	@Test
	void aReplyTooFewFailsAllCallsAndEndsTheConnection() {
		MetaBatch pipeline = new MetaBatch(call(1), 2);
		pipeline.add(call(1), false);
		assertThat(pipeline.repliesFrom(List.of(new MetaReply.Done()))).hasSize(2)
			.allSatisfy((reply) -> assertThat(reply).isInstanceOfSatisfying(ErrorReply.class, (error) -> {
				assertThat(error.endsConnection()).isTrue();
				assertThat(error.mayHaveRun()).isTrue();
			}));
	}

	@Test
	void atMostSixtyFourCallsShareAnEnd() {
		MetaBatch pipeline = new MetaBatch(call(1), 100);
		for (int i = 1; i < MetaBatch.MOST_CALLS; i++) {
			assertThat(pipeline.add(call(1), false)).isTrue();
		}
		assertThat(pipeline.add(call(1), false)).isFalse();
	}

}
