package dev.ratelimit.store.redis.resp;

import java.nio.charset.StandardCharsets;
import java.util.List;

import dev.ratelimit.store.wire.ErrorReply;
import dev.ratelimit.store.wire.NodeCall;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisMovedDataException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where a call is sent after an error.
 */
class ScriptCallTests {

	private static final String FROM = "10.0.0.1:6379";

	private final ScriptCall call = new ScriptCall(Script.of("return 1"), "k".getBytes(StandardCharsets.US_ASCII),
			List.of(), NodeCall.Afterwards.NOTHING);

	private String after(JedisDataException error) {
		return this.call.retry(RespErrors.reply(error), FROM);
	}

	@Test
	void aNodeThatDoesNotKnowTheScriptGetsItsTextOnce() {
		assertThat(after(new JedisNoScriptException("NOSCRIPT No matching script."))).isEqualTo(FROM);
		assertThat(this.call.withText()).isTrue();
		assertThat(after(new JedisNoScriptException("NOSCRIPT No matching script."))).isNull();
	}

	/** A node that does not know its own name sends none, or a question mark. */
	@ParameterizedTest
	@CsvSource({ "10.0.0.2, 10.0.0.2:6380", "'', 10.0.0.1:6380", "?, 10.0.0.1:6380" })
	void aRedirectionNamesTheOtherNode(String host, String address) {
		HostAndPort target = new HostAndPort(host, 6380);
		assertThat(after(new JedisMovedDataException("MOVED 1", target, 1))).isEqualTo(address);
		assertThat(this.call.asking()).isFalse();
		assertThat(after(new JedisAskDataException("ASK 1", target, 1))).isEqualTo(address);
		assertThat(this.call.asking()).isTrue();
	}

	@Test
	void aCallThatWasRefusedWithOthersIsSentAgain() {
		ErrorReply error = RespErrors.reply(new JedisDataException("ERR keys must be in the same slot"));
		assertThat(this.call.retry(RespErrors.ofSeveralKeys(error), FROM)).isEqualTo(FROM);
		assertThat(this.call.retry(error, FROM)).as("alone").isNull();
		ErrorReply late = RespErrors.reply(new JedisDataException("ERR upstream failure"));
		assertThat(this.call.retry(RespErrors.ofSeveralKeys(late), FROM)).as("it may have run").isNull();
	}

	@Test
	void afterAnyOtherErrorItHasFailed() {
		assertThat(after(new JedisDataException("ERR unknown command"))).isNull();
	}

}
