package dev.ratelimit.store.wire;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.ratelimit.fixture.Patience;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.redis.SharedRedis;
import dev.ratelimit.store.redis.resp.RespNodes;
import dev.ratelimit.store.redis.resp.Script;
import dev.ratelimit.store.redis.resp.ScriptCall;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of calls that go to nodes in different states.
 */
class RoutedCallRunnerTests {

	private static final Script SCRIPT = Script.of("return 1");

	private static ScriptCall call(String key) {
		return new ScriptCall(SCRIPT, key.getBytes(StandardCharsets.US_ASCII), List.of(), NodeCall.Afterwards.NOTHING);
	}

	private static NodeCall.CallState failed(StoreFailure failure, Fate fate) {
		return new NodeCall.FailedCall(failure, fate);
	}

	private static CallRunner runner(String description, Router router) {
		return new RoutedCallRunner(description, () -> router, LogFactory.getLog(RoutedCallRunnerTests.class));
	}

	@Test
	void aCallWithoutAKnownNodeFailsAsTheDiscoveryDid() {
		IOException cause = new IOException("WRONGPASS invalid username-password pair");
		try (CallRunner runner = runner("Redis Cluster at a:1",
				new Nowhere(new NoConnectionException(StoreFailure.NOT_PERMITTED, "no node", cause)))) {
			ScriptCall call = call("a");
			runner.run(List.of(call), Patience.LONG);
			assertThat(call.outcome()).isEqualTo(failed(StoreFailure.NOT_PERMITTED, Fate.NOT_TAKEN));
			assertThat(runner.lastFailure()).contains("Redis Cluster at a:1: WRONGPASS invalid username-password pair");
		}
	}

	@Test
	void aCallThatIsRunAgainReportsItsNewOutcomeEvenIfItWasNotSent() {
		try (CallRunner runner = runner("Redis Cluster at a:1", new Nowhere(null))) {
			ScriptCall call = call("a");
			call.failed(StoreFailure.TIMEOUT, Fate.AWAITED);
			runner.run(List.of(call), Patience.LONG);
			assertThat(call.outcome()).isEqualTo(failed(StoreFailure.UNREACHABLE, Fate.NOT_TAKEN));
			assertThat(runner.lastFailure()).contains("Redis Cluster at a:1: no node is known that serves the key");
		}
	}

	@Test
	void aNodeWithoutAFreeConnectionDoesNotUseUpTheTimeOfTheOthers() throws Exception {
		try (Nodes nodes = RespNodes.nodes(1, 1)) {
			List<Node> byName = Stream.of("127.0.0.1", "localhost")
				.map((name) -> nodes.at(name + ":" + SharedRedis.standalone().port()))
				.sorted(Comparator.comparing(Node::name))
				.toList();
			Lane taken = Exchanges.takeIdle(byName.get(0));
			ScriptCall busy = call("0");
			ScriptCall free = call("1");
			CallRunner runner = runner("two", new ByFirstDigit(byName));
			runner.run(List.of(call("1")), Patience.LONG);
			runner.run(List.of(busy, free), Duration.ofMillis(200));
			assertThat(free.outcome()).isEqualTo(new NodeCall.Replied(1L));
			assertThat(busy.outcome()).isEqualTo(failed(StoreFailure.OVERLOADED, Fate.NOT_TAKEN));
			byName.get(0).release(taken, false);
			runner.run(List.of(busy, free), Patience.LONG);
			assertThat(busy.outcome()).isEqualTo(new NodeCall.Replied(1L));
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 100_000 })
	void aCallWhoseReplyCannotBeDeliveredHasAnEnd(int bytes) {
		Script moved = Script.of("return redis.error_reply('MOVED 1 127.0.0.1:1')");
		try (Nodes nodes = RespNodes.nodes(2, 10)) {
			Node node = nodes.at("127.0.0.1:" + SharedRedis.standalone().port());
			List<ScriptCall> calls = Stream.of("0", "0")
				.map((key) -> new ScriptCall(moved, key.getBytes(StandardCharsets.US_ASCII), List.of(new byte[bytes]),
						NodeCall.Afterwards.NOTHING))
				.toList();
			AtomicInteger completions = new AtomicInteger();
			CallRunner runner = runner("without other nodes", new ByFirstDigit(List.of(node)));
			runner.start(calls.subList(0, 1), Patience.LONG, completions::incrementAndGet);
			OneConnection.await(() -> completions.get() == 1);
			runner.run(calls.subList(1, 2), Patience.LONG);
			assertThat(calls).extracting(NodeCall::outcome).containsOnly(failed(StoreFailure.ERROR, Fate.UNKNOWN));
		}
	}

	/**
	 * No node is known.
	 *
	 * @param cause why, if that is known
	 */
	private record Nowhere(@Nullable NoConnectionException cause) implements Router {

		@Override
		public @Nullable Node nodeFor(Supplier<byte[]> key) {
			return null;
		}

		@Override
		public Optional<NoConnectionException> failure() {
			return Optional.ofNullable(this.cause);
		}

		@Override
		public long incarnation() {
			return 0;
		}

		@Override
		public Node nodeAt(String address) {
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
