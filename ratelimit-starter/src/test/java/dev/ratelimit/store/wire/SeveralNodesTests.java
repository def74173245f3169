package dev.ratelimit.store.wire;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.redis.OwnRedis;
import dev.ratelimit.store.redis.SharedRedis;
import dev.ratelimit.store.redis.TcpProxy;
import dev.ratelimit.store.redis.resp.RespNodes;
import dev.ratelimit.store.redis.resp.Script;
import dev.ratelimit.store.redis.resp.ScriptCall;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests with calls to two nodes, beside those to one of them.
 */
@ParameterizedClass
@EnumSource
class SeveralNodesTests {

	private static final Script SCRIPT = Script.of("return 1");

	private static final NodeCall.CallState REPLIED = new NodeCall.Replied(1L);

	private static final int CONNECTIONS = 2;

	private final RedisServer server = OwnRedis.server();

	private final Jedis redis = SharedRedis.connect(this.server);

	private final List<TcpProxy> proxies = Stream.generate(() -> TcpProxy.to(this.server.port())).limit(2).toList();

	private final Nodes nodes = RespNodes.nodes(CONNECTIONS, 1000);

	private final List<Node> both = this.proxies.stream()
		.map((proxy) -> this.nodes.at("127.0.0.1:" + proxy.port()))
		.toList();

	private final CallRunner runner = RespNodes.runner(new ByFirstDigit(this.both));

	private final ThreadKind kind;

	SeveralNodesTests(ThreadKind kind) {
		this.kind = kind;
	}

	/** The proxies hold the replies to the first commands of a connection, too. */
	@BeforeEach
	void openConnections() {
		this.both.forEach((node) -> Exchanges.open(node, CONNECTIONS));
		this.runner.run(List.of(call("0"), call("1")), Patience.LONG);
		this.proxies.forEach(TcpProxy::reset);
	}

	@AfterEach
	void close() {
		this.nodes.close();
		this.redis.close();
		this.proxies.forEach(TcpProxy::close);
	}

	private static ScriptCall call(String key) {
		return call(key, 1, NodeCall.Afterwards.NOTHING);
	}

	private static ScriptCall call(String key, int weight, NodeCall.Afterwards afterwards) {
		return new ScriptCall(SCRIPT, List.of(key.getBytes(StandardCharsets.US_ASCII)), List.of(), List.of(), weight,
				afterwards);
	}

	private Thread start(Runnable task) {
		Thread thread = this.kind.newThread(task);
		thread.start();
		return thread;
	}

	/** Send a request to both nodes on another thread. */
	private FutureTask<List<NodeCall.CallState>> send() {
		return send("0", "1");
	}

	private FutureTask<List<NodeCall.CallState>> send(String... keys) {
		return send(Stream.of(keys).map(SeveralNodesTests::call).toList());
	}

	private FutureTask<List<NodeCall.CallState>> send(List<ScriptCall> calls) {
		FutureTask<List<NodeCall.CallState>> task = new FutureTask<>(() -> {
			this.runner.run(calls, OneConnection.LONG);
			return calls.stream().map(NodeCall::outcome).toList();
		});
		Thread unused = start(task);
		return task;
	}

	/** Send a request that uses a connection to each of the nodes. */
	private FutureTask<List<NodeCall.CallState>> sendAtOnce() {
		int before = this.proxies.get(0).requested("EVALSHA");
		FutureTask<List<NodeCall.CallState>> sent = send();
		OneConnection.await(() -> this.proxies.get(0).requested("EVALSHA") > before);
		return sent;
	}

	@Test
	void shareBatchesAsAnyOtherRequests() throws Exception {
		this.proxies.forEach(TcpProxy::holdReplies);
		List<FutureTask<List<NodeCall.CallState>>> all = new ArrayList<>(List.of(sendAtOnce(), sendAtOnce()));
		OneConnection.await(() -> this.proxies.get(1).requested("EVALSHA") == 2);
		for (int i = 0; i < 20; i++) {
			all.add(send());
		}
		OneConnection.await(() -> this.both.stream().allMatch((node) -> node.waiting().count() == 20));
		long readsBefore = reads();
		this.proxies.forEach(TcpProxy::passReplies);
		for (FutureTask<List<NodeCall.CallState>> each : all) {
			assertThat(each.get()).containsExactly(REPLIED, REPLIED);
		}
		assertThat(reads() - readsBefore).as("one or two from each node, and that of INFO").isBetween(3L, 5L);
	}

	/** How often Redis has read commands. */
	private long reads() {
		String stats = this.redis.info("stats");
		int from = stats.indexOf("total_reads_processed:") + "total_reads_processed:".length();
		return Long.parseLong(stats.substring(from, stats.indexOf('\r', from)));
	}

	/** Each of them has a batch of its own under way at the node that answers. */
	@Test
	void aNodeThatHangsDelaysNoRequestToTheOtherOne() throws Exception {
		this.proxies.get(0).holdReplies();
		List<FutureTask<List<NodeCall.CallState>>> all = List.of(sendAtOnce(), sendAtOnce());
		for (int i = 0; i < 10; i++) {
			ScriptCall toOther = call("1");
			this.runner.run(List.of(toOther), Duration.ofSeconds(1));
			assertThat(toOther.outcome()).isEqualTo(REPLIED);
		}
		assertThat(all).noneMatch(FutureTask::isDone);
		this.proxies.get(0).passReplies();
		for (FutureTask<List<NodeCall.CallState>> each : all) {
			assertThat(each.get()).containsExactly(REPLIED, REPLIED);
		}
	}

	@Test
	void aThreadThatReadsFromANodeThatHangsIsNotChosenToReadFromTheOtherOne() throws Exception {
		Node other = this.both.get(1);
		this.proxies.forEach(TcpProxy::holdReplies);
		List<FutureTask<List<NodeCall.CallState>>> toOther = new ArrayList<>();
		for (int i = 1; i <= CONNECTIONS; i++) {
			int sent = i;
			toOther.add(send("1"));
			OneConnection.await(() -> this.proxies.get(1).requested("EVALSHA") == sent);
		}
		toOther.add(send("1"));
		OneConnection.await(() -> other.waiting().count() == 1);
		FutureTask<List<NodeCall.CallState>> toBoth = sendAtOnce();
		OneConnection.await(() -> other.waiting().count() == 2);
		this.proxies.get(1).passReplies();
		for (FutureTask<List<NodeCall.CallState>> each : toOther) {
			assertThat(each.get(5, TimeUnit.SECONDS)).containsExactly(REPLIED);
		}
		assertThat(toBoth).isNotDone();
		this.proxies.get(0).passReplies();
		assertThat(toBoth.get()).containsExactly(REPLIED, REPLIED);
	}

	@Test
	void aNodeThatHangsTakesNoReplyOfTheOtherOne() {
		this.proxies.get(0).holdReplies();
		List<ScriptCall> calls = List.of(call("0"), call("1"));
		this.runner.run(calls, Duration.ofMillis(200));
		assertThat(calls.get(0).outcome()).isEqualTo(OneConnection.failed(StoreFailure.TIMEOUT, Fate.AWAITED));
		assertThat(calls.get(1).outcome()).isEqualTo(REPLIED);
	}

	@Test
	void aNodeWithoutRoomForCostlyCallsDelaysNoneToTheOtherOne() {
		Exchange room = Exchanges.takeRoom(this.both.get(0));
		List<ScriptCall> calls = List.of(call("0", 8, NodeCall.Afterwards.NOTHING),
				call("1", 8, NodeCall.Afterwards.NOTHING));
		this.runner.run(calls, Duration.ofMillis(200));
		assertThat(calls.get(0).outcome()).isEqualTo(OneConnection.failed(StoreFailure.OVERLOADED, Fate.NOT_TAKEN));
		assertThat(calls.get(1).outcome()).isEqualTo(REPLIED);
		this.both.get(0).waiting().ended(List.of(room));
		assertThat(this.both).allMatch(Exchanges::isRoomFree);
	}

	@Test
	void aLargeCallToANodeThatHangsDelaysNoneToTheOtherOne() throws Exception {
		this.proxies.get(0).holdReplies();
		FutureTask<List<NodeCall.CallState>> sent = send(List.of(large("0"), large("1")));
		this.proxies.get(1).awaitResponse();
		assertThat(sent).isNotDone();
		this.proxies.get(0).passReplies();
		assertThat(sent.get()).containsExactly(REPLIED, REPLIED);
	}

	@Test
	void aUsualCallToANodeThatHangsDelaysNoLargeOneToTheOtherOne() throws Exception {
		this.proxies.get(0).holdReplies();
		FutureTask<List<NodeCall.CallState>> sent = send(List.of(call("0"), large("1")));
		this.proxies.get(1).awaitResponse();
		assertThat(sent).isNotDone();
		this.proxies.get(0).passReplies();
		assertThat(sent.get()).containsExactly(REPLIED, REPLIED);
	}

	@Test
	void anInterruptEndsCallsThatHaveToWaitAndIsKept() throws Exception {
		this.proxies.forEach(TcpProxy::holdReplies);
		Thread.currentThread().interrupt();
		List<ScriptCall> calls = List.of(large("0"), large("1"));
		this.runner.run(calls, Patience.LONG);
		assertThat(Thread.interrupted()).isTrue();
		assertThat(calls).extracting((call) -> ((NodeCall.FailedCall) call.outcome()).failure())
			.containsOnly(StoreFailure.OVERLOADED);
	}

	private static ScriptCall large(String key) {
		return new ScriptCall(SCRIPT, key.getBytes(StandardCharsets.US_ASCII),
				List.of(new byte[2 * Exchange.MOST_BYTES]), NodeCall.Afterwards.NOTHING);
	}

	@Test
	void aLargeCallBesideAUsualOne() {
		ScriptCall large = large("0");
		ScriptCall usual = call("1");
		this.runner.run(List.of(large, usual), Patience.LONG);
		assertThat(large.outcome()).isEqualTo(REPLIED);
		assertThat(usual.outcome()).isEqualTo(REPLIED);
	}

	@Test
	void withoutAnyTimeEachCallIsSentIfThatIsPossible() {
		LateReplyRecorder afterwards = new LateReplyRecorder();
		this.proxies.forEach(TcpProxy::holdReplies);
		List<ScriptCall> calls = List.of(call("0", 1, afterwards), call("1", 1, afterwards));
		this.runner.run(calls, Duration.ZERO);
		assertThat(calls).extracting(NodeCall::outcome)
			.containsOnly(OneConnection.failed(StoreFailure.TIMEOUT, Fate.AWAITED));
		this.proxies.forEach(TcpProxy::passReplies);
		OneConnection.await(() -> afterwards.late().size() == 2);
		assertThat(this.both).as("have not failed to answer").noneMatch(Node::isSilent);
	}

	/**
	 * A node hangs now and then. Those that need only the other one are all answered, and
	 * each call has one end.
	 */
	@Test
	void manyRequestsOfAllKindsWhileANodeHangs() throws Exception {
		AtomicBoolean over = new AtomicBoolean();
		LateReplyRecorder afterwards = new LateReplyRecorder();
		Queue<NodeCall> late = new ConcurrentLinkedQueue<>();
		Queue<NodeCall> failedAtTheOther = new ConcurrentLinkedQueue<>();
		AtomicInteger started = new AtomicInteger();
		AtomicInteger completed = new AtomicInteger();
		Duration shortTime = Duration.ofMillis(40);
		List<Thread> threads = IntStream.range(0, 24).mapToObj((i) -> start(() -> {
			while (!over.get()) {
				int weight = (i % 5 == 0) ? 20 : 1;
				List<ScriptCall> calls = (i % 3 == 0) ? List.of(call("1", 1, afterwards))
						: List.of(call("0", weight, afterwards), call("1", weight, afterwards));
				if (i % 3 == 0) {
					this.runner.run(calls, OneConnection.LONG);
					calls.stream().filter((call) -> !call.outcome().equals(REPLIED)).forEach(failedAtTheOther::add);
				}
				else if (i % 4 == 0) {
					started.incrementAndGet();
					this.runner.start(calls, shortTime, () -> {
						calls.stream().filter(SeveralNodesTests::isAwaited).forEach(late::add);
						completed.incrementAndGet();
					});
					LockSupport.parkNanos(shortTime.toNanos() / 10);
				}
				else {
					this.runner.run(calls, shortTime);
					calls.stream().filter(SeveralNodesTests::isAwaited).forEach(late::add);
				}
			}
		})).toList();
		for (int i = 0; i < 10; i++) {
			this.proxies.get(0).holdReplies();
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
			this.proxies.get(0).passReplies();
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
		}
		over.set(true);
		for (Thread thread : threads) {
			thread.join(OneConnection.LONG.toMillis());
			assertThat(thread.isAlive()).isFalse();
		}
		OneConnection.await(() -> completed.get() == started.get());
		assertThat(failedAtTheOther).isEmpty();
		OneConnection.await(() -> afterwards.late().size() == late.size());
		assertThat(late).isNotEmpty();
		assertThat(afterwards.late()).containsOnly(1L);
		assertThat(send().get()).containsExactly(REPLIED, REPLIED);
		assertThat(this.both).allSatisfy((node) -> {
			assertThat(node.waiting().count()).isZero();
			assertThat(Exchanges.isRoomFree(node)).isTrue();
		});
	}

	private static boolean isAwaited(NodeCall call) {
		return call.outcome() instanceof NodeCall.FailedCall failed && failed.fate() == Fate.AWAITED;
	}

}
