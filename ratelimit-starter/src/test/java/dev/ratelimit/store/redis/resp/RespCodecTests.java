package dev.ratelimit.store.redis.resp;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;

import dev.ratelimit.store.wire.ErrorReply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Replies that arrive in parts.
 */
class RespCodecTests {

	private final RespCodec codec = new RespCodec(OutputStream.nullOutputStream());

	@ParameterizedTest
	@ValueSource(strings = { ":1\r\n", "$5\r\na\r\nbc\r\n", "$-1\r\n", "*0\r\n", "-MOVED 1 127.0.0.1:1\r\n",
			"*3\r\n:-12\r\n*2\r\n$0\r\n\r\n$-1\r\n-ERR a\r\n", "*-1\r\n" })
	void nothingIsTakenOfAReplyThatIsNotWhole(String reply) throws IOException {
		for (int length = 0; length < reply.length(); length++) {
			ByteBuffer part = ByteBuffer.wrap(reply.substring(0, length).getBytes(US_ASCII));
			assertThat(this.codec.read(part)).isNull();
			assertThat(part.position()).isZero();
		}
	}

	@Test
	void eachReplyTakesItsOwnBytes() throws IOException {
		ByteBuffer received = ByteBuffer.wrap("*2\r\n:1\r\n:2\r\n-ERR a\r\n:3\r\n:".getBytes(US_ASCII));
		assertThat(this.codec.read(received)).isEqualTo(List.of(1L, 2L));
		assertThat(this.codec.read(received)).isInstanceOf(ErrorReply.class);
		assertThat(this.codec.read(received)).isEqualTo(3L);
		assertThat(this.codec.read(received)).isNull();
		assertThat(received.remaining()).isEqualTo(1);
	}

}
