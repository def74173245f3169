package dev.ratelimit.store.redis.resp;

import java.net.ConnectException;
import java.net.SocketTimeoutException;

import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.wire.NoConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisMovedDataException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What failures mean.
 */
class RespErrorsTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					OOM command not allowed when used memory > 'maxmemory'.                      | UNAVAILABLE
					LOADING Redis is loading the dataset in memory                               | UNAVAILABLE
					READONLY You can't write against a read only replica.                        | UNAVAILABLE
					CLUSTERDOWN Hash slot not served                                             | UNAVAILABLE
					MASTERDOWN Link with MASTER is down                                          | UNAVAILABLE
					MISCONF Redis is configured to save RDB snapshots                            | UNAVAILABLE
					NOREPLICAS Not enough good replicas to write.                                | UNAVAILABLE
					BUSY Redis is busy running a script.                                         | UNAVAILABLE
					NOAUTH Authentication required.                                              | NOT_PERMITTED
					WRONGPASS invalid username-password pair or user is disabled.                | NOT_PERMITTED
					NOPERM this user has no permissions to run the 'evalsha' command             | NOT_PERMITTED
					ERR The user executing the script can't run this command or subcommand       | NOT_PERMITTED
					ERR Error running script (call to f_1): @user_script:1: @user_script: 1: -OOM command not allowed | UNAVAILABLE
					ERR Error running script (call to f_1): @user_script:1: -READONLY You can't write | UNAVAILABLE
					WRONGTYPE Operation against a key holding the wrong kind of value            | ERROR
					ERR unknown command 'EVALSHA', with args beginning with: 'abc' '1'           | NOT_PERMITTED
					ERR Unknown Redis command called from script script: 1a, on @user_script:1.  | NOT_PERMITTED
					ERR anything else                                                            | ERROR
					""")
	void aReplyIsClassifiedByItsFirstWord(String message, StoreFailure failure) {
		JedisDataException error = new JedisDataException(message);
		assertThat(RespErrors.reply(error).failure()).isEqualTo(failure);
		assertThat(RespErrors.noConnection(new IllegalStateException(error)).failure())
			.isEqualTo((failure == StoreFailure.ERROR) ? StoreFailure.NOT_PERMITTED : failure);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			ERR max number of clients reached                       | UNREACHABLE
			ERR max number of clients + cluster connections reached | UNREACHABLE
			ERR SELECT is not allowed in cluster mode               | NOT_PERMITTED
			DENIED Redis is running in protected mode               | NOT_PERMITTED
			LOADING Redis is loading the dataset in memory          | UNAVAILABLE
			""")
	void whatAServerRefusesBeforeTheFirstCallAnOperatorHasToMend(String message, StoreFailure failure) {
		NoConnectionException refused = RespErrors.noConnection(new JedisDataException(message));
		assertThat(refused.failure()).isEqualTo(failure);
		assertThat(refused).hasMessage(message);
	}

	/** They are the key of a client, or the password. */
	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					ERR unknown command 'EVALSHA', with args beginning with: 'a' '1' 'rl:shop:{x:i10.0.0.1}:l1' | this server runs no scripts: it does not know EVALSHA
					ERR unknown command `eval`, with args beginning with: `rl:shop:{x:i10.0.0.1}:l1`,           | this server runs no scripts: it does not know eval
					ERR unsupported command 'EVALSHA'                                                           | this server runs no scripts: it does not know EVALSHA
					ERR command EVALSHA not support for normal user                                             | this server runs no scripts: it does not know EVALSHA
					ERR unknown command 'AUTH', with args beginning with: 'limiter' 'secret'                    | this server does not know AUTH
					""",
			quoteCharacter = '"')
	void theArgumentsOfAnUnknownCommandAreNotReported(String message, String reported) {
		JedisDataException error = new JedisDataException(message);
		assertThat(RespErrors.reply(error).cause()).hasMessage(reported);
		assertThat(RespErrors.reply(error).mayHaveRun()).isFalse();
		assertThat(RespErrors.noConnection(error)).hasMessage(reported).hasRootCauseMessage(reported);
	}

	@Test
	void aRedirectedCallHasNotRun() {
		HostAndPort target = new HostAndPort("other", 6379);
		assertThat(RespErrors.reply(new JedisMovedDataException("MOVED 1 other:6379", target, 1)).mayHaveRun())
			.isFalse();
		assertThat(RespErrors.reply(new JedisAskDataException("ASK 1 other:6379", target, 1)).mayHaveRun()).isFalse();
		assertThat(RespErrors.reply(new JedisDataException("ERR in the midst of a script")).mayHaveRun()).isTrue();
	}

	@Test
	void aFailureToConnectIsClassifiedByItsCause() {
		assertThat(classify(new JedisConnectionException(new SocketTimeoutException("Read timed out"))))
			.isEqualTo(StoreFailure.TIMEOUT);
		assertThat(classify(new JedisConnectionException(new ConnectException("refused"))))
			.isEqualTo(StoreFailure.UNREACHABLE);
		assertThat(classify(new JedisConnectionException("Unexpected end of stream.")))
			.isEqualTo(StoreFailure.UNREACHABLE);
		assertThat(classify(new IllegalArgumentException("?"))).isEqualTo(StoreFailure.ERROR);
	}

	private static StoreFailure classify(Exception failure) {
		return RespErrors.noConnection(failure).failure();
	}

}
