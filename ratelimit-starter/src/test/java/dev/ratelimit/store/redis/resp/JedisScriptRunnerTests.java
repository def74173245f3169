package dev.ratelimit.store.redis.resp;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquireResult.Fate;
import dev.ratelimit.store.StoreFailure;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisDataException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of calls that go to nodes in different states.
 */
class JedisScriptRunnerTests {

	private static final Script SCRIPT = Script.of("return 1");

	private static ScriptCall call(String key) {
		return new ScriptCall(SCRIPT, key.getBytes(StandardCharsets.US_ASCII), List.of(),
				ScriptCall.Afterwards.NOTHING);
	}

	private static ScriptCall.CallState failed(StoreFailure failure, Fate fate) {
		return new ScriptCall.FailedCall(new AcquireResult.Failed(failure, fate));
	}

	@Test
	void aCallWithoutAKnownNodeFailsAsTheDiscoveryDid() {
		try (JedisScriptRunner runner = new JedisScriptRunner("Redis Cluster at a:1",
				new Nowhere(new JedisDataException("WRONGPASS invalid username-password pair")))) {
			ScriptCall call = call("a");
			runner.run(List.of(call), Patience.LONG);
			assertThat(call.outcome()).isEqualTo(failed(StoreFailure.NOT_PERMITTED, Fate.NOT_TAKEN));
			assertThat(runner.lastFailure()).contains("Redis Cluster at a:1: WRONGPASS invalid username-password pair");
		}
	}

	@Test
	void aCallThatIsRunAgainReportsItsNewOutcomeEvenIfItWasNotSent() {
		try (JedisScriptRunner runner = new JedisScriptRunner("Redis Cluster at a:1", new Nowhere(null))) {
			ScriptCall call = call("a");
			call.failed(StoreFailure.TIMEOUT, Fate.AWAITED);
			runner.run(List.of(call), Patience.LONG);
			assertThat(call.outcome()).isEqualTo(failed(StoreFailure.UNREACHABLE, Fate.NOT_TAKEN));
			assertThat(runner.lastFailure()).contains("Redis Cluster at a:1: no node is known that serves the key");
		}
	}

	@Test
	void aNodeWithoutAFreeConnectionDoesNotUseUpTheTimeOfTheOthers() throws Exception {
		try (Nodes nodes = new Nodes(DefaultJedisClientConfig.builder().build(), 1, 1);
				RedisServer one = RedisServer.start();
				RedisServer other = RedisServer.start()) {
			List<Node> byName = Stream.of(one, other)
				.map((server) -> nodes.at(new HostAndPort(server.host(), server.port())))
				.sorted(Comparator.comparing(Node::name))
				.toList();
			RedisConnection taken = byName.get(0).borrow(new CallTime(Patience.LONG));
			byName.get(1).release(byName.get(1).borrow(new CallTime(Patience.LONG)));
			ScriptCall busy = call("0");
			ScriptCall free = call("1");
			JedisScriptRunner runner = new JedisScriptRunner("two", new ByFirstDigit(byName));
			runner.run(List.of(call("1")), Patience.LONG);
			runner.run(List.of(busy, free), Duration.ofMillis(200));
			assertThat(free.outcome()).isEqualTo(new ScriptCall.Replied(1L));
			assertThat(busy.outcome()).isEqualTo(failed(StoreFailure.OVERLOADED, Fate.NOT_TAKEN));
			byName.get(0).release(taken);
			runner.run(List.of(busy, free), Patience.LONG);
			assertThat(busy.outcome()).isEqualTo(new ScriptCall.Replied(1L));
		}
	}

	/**
	 * A key is a digit, which is the index of its node.
	 *
	 * @param nodes the nodes
	 */
	private record ByFirstDigit(List<Node> nodes) implements Topology {

		@Override
		public Node nodeFor(Supplier<byte[]> key) {
			return this.nodes.get(key.get()[0] - '0');
		}

		@Override
		public Node nodeAt(HostAndPort address) {
			throw new AssertionError(address);
		}

		@Override
		public void suspect() {
		}

		@Override
		public void close() {
		}

	}

	/**
	 * No node is known.
	 *
	 * @param cause why, if that is known
	 */
	private record Nowhere(@Nullable Throwable cause) implements Topology {

		@Override
		public @Nullable Node nodeFor(Supplier<byte[]> key) {
			return null;
		}

		@Override
		public Optional<Throwable> failure() {
			return Optional.ofNullable(this.cause);
		}

		@Override
		public Node nodeAt(HostAndPort address) {
			throw new AssertionError(address);
		}

		@Override
		public void suspect() {
		}

		@Override
		public void close() {
		}

	}

}
