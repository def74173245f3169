package dev.ratelimit.embeddedredis;

import java.time.Duration;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisConnectionException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class RedisServerTests {

	private RedisServer server;

	@BeforeEach
	void start() {
		this.server = RedisServer.start();
	}

	@AfterEach
	void close() {
		this.server.close();
	}

	@Test
	void aStartedServerRespondsToPing() {
		assertThat(ping(this.server, 2000)).isEqualTo("PONG");
		assertThat(this.server.address()).isEqualTo("127.0.0.1:" + this.server.port());
		assertThat(this.server.isAlive()).isTrue();
	}

	@Test
	void aServerIsStartedWithTheGivenOptions() {
		try (RedisServer other = RedisServer.start("--requirepass", "a secret \"$(id)'", "--maxmemory", "12mb");
				Jedis jedis = other.connect()) {
			assertThat(jedis.configGet("maxmemory")).containsEntry("maxmemory", "12582912");
			assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> ping(other, 2000))
				.withMessageContaining("NOAUTH");
		}
	}

	@Test
	void theErrorContainsTheLogWhenAnOptionIsWrong() {
		assertThatIllegalStateException().isThrownBy(() -> RedisServer.start("--no-such-option", "1"))
			.withMessageContaining("no-such-option");
	}

	@ParameterizedTest
	@ValueSource(strings = { "--port", "--tls-port", "--logfile", "--loglevel", "--daemonize" })
	void optionsForPortLogAndProcessAreRejected(String option) {
		assertThatIllegalArgumentException().isThrownBy(() -> RedisServer.start(option, "1"))
			.withMessageContaining(option);
	}

	@Test
	void aPausedServerDoesNotRespondUntilItIsResumed() {
		try (Jedis jedis = connect(this.server, 100)) {
			assertThat(ping(this.server, 2000)).isEqualTo("PONG");
			this.server.pause();
			assertThatExceptionOfType(JedisConnectionException.class).isThrownBy(jedis::ping)
				.withMessageContaining("Read timed out");
			assertThat(this.server.isAlive()).isTrue();
			this.server.resume();
			assertThat(ping(this.server, 2000)).isEqualTo("PONG");
		}
	}

	@Test
	void killedServerIsGone() {
		this.server.kill();
		assertThat(this.server.isAlive()).isFalse();
		assertThat(ProcessHandle.of(this.server.pid())).isEmpty();
		assertThatExceptionOfType(JedisConnectionException.class).isThrownBy(() -> ping(this.server, 2000));
		assertThatIllegalStateException().isThrownBy(this.server::pause);
	}

	@Test
	void aRestartedServerHasANewProcessAndNoDataOnTheSamePort() {
		long pid = this.server.pid();
		try (Jedis jedis = this.server.connect()) {
			jedis.set("key", "value");
		}
		this.server.restart();
		assertThat(this.server.pid()).isNotEqualTo(pid);
		try (Jedis jedis = this.server.connect()) {
			assertThat(jedis.exists("key")).isFalse();
		}
	}

	@Test
	void killedOrCrashedServerCanBeRestarted() {
		this.server.kill();
		this.server.restart();
		assertThat(ping(this.server, 2000)).isEqualTo("PONG");
		ProcessHandle.of(this.server.pid()).ifPresent(ProcessHandle::destroyForcibly);
		Await.until(Duration.ofSeconds(5), () -> !this.server.isAlive(), () -> "Still alive");
		this.server.restart();
		assertThat(ping(this.server, 2000)).isEqualTo("PONG");
	}

	@Test
	void closedServerIsGoneEvenIfItWasPaused() {
		this.server.pause();
		this.server.close();
		assertThat(this.server.isAlive()).isFalse();
		this.server.close();
	}

	private static String ping(RedisServer server, int timeoutMillis) {
		try (Jedis jedis = connect(server, timeoutMillis)) {
			return jedis.ping();
		}
	}

	private static Jedis connect(RedisServer server, int timeoutMillis) {
		return new Jedis(server.host(), server.port(),
				DefaultJedisClientConfig.builder().timeoutMillis(timeoutMillis).build());
	}

}
