package dev.ratelimit.store.wire;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.redis.OwnRedis;
import dev.ratelimit.store.redis.SharedRedis;
import dev.ratelimit.store.redis.StoreCalls;
import dev.ratelimit.store.redis.StoreRequests;
import dev.ratelimit.store.redis.TcpProxy;
import dev.ratelimit.store.redis.resp.RespNodes;
import dev.ratelimit.store.redis.resp.ScriptCall;
import org.apache.commons.logging.LogFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which requests get a free batch slot, and which go together. Two batches are under way,
 * until the test lets their replies pass.
 */
class BatchSlotsTests {

	/** So that no request loses its patience. */
	private static final Duration LONG = OneConnection.LONG;

	private final AcquireRequest request = StoreRequests.request(Limits.of("lanes", "100/60s"), "s");

	private final StoreCalls calls = StoreCalls.shipped();

	private final RedisServer server = OwnRedis.server();

	private final Jedis redis = SharedRedis.connect(this.server);

	/** One for each connection. */
	private final List<TcpProxy> proxies = Stream.generate(() -> TcpProxy.to(this.server.port())).limit(3).toList();

	private final AtomicInteger opened = new AtomicInteger();

	private final LateLanes late = new LateLanes(BackgroundTasks.threadForOneTask("test-late"));

	private final ScheduledExecutorService timer = BackgroundTasks.timer("test");

	private final Queue<TcpProxy> held = new ArrayDeque<>();

	private final Queue<FutureTask<Long>> leaders = new ArrayDeque<>();

	private int connections = 3;

	private Node node = node(this.connections, LONG);

	private Node node(int connections, Duration patience) {
		this.connections = connections;
		return new Node(this.server.address(), "test-",
				(address) -> RespNodes.connect(this.proxies.get(this.opened.getAndIncrement()).port()),
				new BatchSlots(connections, patience), 30, new Incarnation(), this.late, this.timer,
				LogFactory.getLog(BatchSlotsTests.class));
	}

	@AfterEach
	void close() {
		this.node.close();
		this.late.close();
		this.timer.shutdown();
		this.redis.close();
		this.proxies.forEach(TcpProxy::close);
	}

	@Test
	void aRequestGoesWithTheNextBatchWhenBothSlotsAreTaken() throws Exception {
		startTwo();
		FutureTask<Long> waiting = send();
		assertThat(waiting).isNotDone();
		endOldest();
		assertThat(remaining(waiting)).isEqualTo(97);
	}

	@Test
	void aRequestThatArrivesAloneWaitsForNoOther() throws Exception {
		startTwo();
		endOldest();
		assertThat(remaining(send())).isEqualTo(97);
		assertThat(remaining(send())).isEqualTo(96);
	}

	@Test
	void asManyRequestsAsInTheLastBatchGoAtOnce() throws Exception {
		sendThreeTogetherAndLeaveOneUnderWay();
		List<FutureTask<Long>> two = send(2);
		assertThat(two).noneMatch(FutureTask::isDone);
		FutureTask<Long> third = send();
		assertThat(remaining(two.get(0))).isEqualTo(94);
		assertThat(remaining(two.get(1))).isEqualTo(93);
		assertThat(remaining(third)).isEqualTo(92);
		assertThat(commands()).isEqualTo(1);
	}

	@Test
	void fewerRequestsGoWhenNoOtherBatchIsUnderWay() throws Exception {
		sendThreeTogetherAndLeaveOneUnderWay();
		List<FutureTask<Long>> two = send(2);
		assertThat(two).noneMatch(FutureTask::isDone);
		endOldest();
		assertThat(remaining(two.get(0))).isEqualTo(94);
		assertThat(remaining(two.get(1))).isEqualTo(93);
		assertThat(commands()).isEqualTo(1);
		assertThat(remaining(send())).isEqualTo(92);
	}

	@Test
	void fewerRequestsWaitForMoreWhenABatchEndsWhileAnotherIsUnderWay() throws Exception {
		sendThreeTogetherAndLeaveOneUnderWay();
		startThree();
		FutureTask<Long> one = send();
		endOldest();
		FutureTask<Long> other = send();
		assertThat(List.of(one, other)).noneMatch(FutureTask::isDone);
		endOldest();
		assertThat(remaining(one)).isEqualTo(91);
		assertThat(remaining(other)).isEqualTo(90);
		assertThat(commands()).as("three, and these two").isEqualTo(2);
	}

	/** There is no further batch slot for a request that has waited too long. */
	@Test
	void withoutFurtherConnectionsABatchThatEndsTakesAlongAnyRequestThatWaits() throws Exception {
		this.node = node(2, LONG);
		sendThreeTogetherAndLeaveOneUnderWay();
		startThree();
		FutureTask<Long> one = send();
		endOldest();
		assertThat(remaining(one)).isEqualTo(91);
	}

	@Test
	void aRequestThatHasWaitedTooLongTakesAFurtherSlot() throws Exception {
		this.node = node(3, Duration.ofMillis(1));
		startTwo();
		assertThat(remaining(send())).isEqualTo(97);
	}

	@Test
	void aRequestWaitsForOthersOnlyUntilItsPatienceEnds() throws Exception {
		this.node = node(3, Duration.ofMillis(500));
		sendThreeTogetherAndLeaveOneUnderWay();
		assertThat(remaining(send())).isEqualTo(94);
	}

	/** Both usual slots stay taken. */
	@Test
	void aConnectionThatWasLateIsUsedByThoseThatHaveWaitedTooLong() throws Exception {
		this.node = node(3, Duration.ofMillis(1));
		startTwo();
		this.proxies.get(2).holdReplies();
		assertThat(Exchanges.run(this.node, call(), OneConnection.SHORT).hasLeft()).isTrue();
		FutureTask<Long> waiting = send();
		assertThat(waiting).isNotDone();
		this.proxies.get(2).passReplies();
		assertThat(waiting.get(5, TimeUnit.SECONDS)).isEqualTo(96);
	}

	/** It sends the batch, and another one of those in it reads. */
	@Test
	void aRequestWithoutTimeSendsABatchAndLeaves() throws Exception {
		sendThreeTogetherAndLeaveOneUnderWay();
		List<FutureTask<Long>> two = send(2);
		holdIdle();
		NodeCall withoutTime = call();
		assertThat(Exchanges.run(this.node, withoutTime, Duration.ZERO).hasLeft()).isTrue();
		assertThat(withoutTime.outcome()).isEqualTo(OneConnection.failed(StoreFailure.TIMEOUT, Fate.AWAITED));
		awaitStored(8);
		assertThat(two).noneMatch(FutureTask::isDone);
		this.proxies.forEach(TcpProxy::passReplies);
		assertThat(remaining(two.get(0))).isEqualTo(94);
		assertThat(remaining(two.get(1))).isEqualTo(93);
		assertThat(this.node.isSilent()).isFalse();
	}

	/** Over the first two connections. The others are idle, and nothing holds them up. */
	private void startTwo() {
		List<Lane> lanes = IntStream.range(0, this.connections).mapToObj((i) -> Exchanges.takeIdle(this.node)).toList();
		for (int i = 0; i < lanes.size(); i++) {
			this.node.release(lanes.get(i), false);
			if (i < 2) {
				hold(this.proxies.get(i));
				startLeader(i + 1);
			}
		}
	}

	private void hold(TcpProxy proxy) {
		proxy.holdReplies();
		this.held.add(proxy);
	}

	private void startLeader(long stored) {
		FutureTask<Long> leader = new FutureTask<>(this::acquire);
		this.leaders.add(leader);
		start(leader);
		awaitStored(stored);
	}

	private void sendThreeTogetherAndLeaveOneUnderWay() throws Exception {
		startTwo();
		List<FutureTask<Long>> three = send(3);
		endOldest();
		for (FutureTask<Long> each : three) {
			remaining(each);
		}
		this.redis.configResetStat();
	}

	private void startThree() {
		holdIdle();
		assertThat(send(2)).noneMatch(FutureTask::isDone);
		startLeader(8);
	}

	/** The connection that sends the next batch is one of these. */
	private void holdIdle() {
		this.proxies.stream().filter((proxy) -> !this.held.contains(proxy)).toList().forEach(this::hold);
	}

	private void awaitStored(long count) {
		OneConnection.await(() -> this.redis.zcard(StoreRequests.key(this.request)) == count);
	}

	/** The oldest batch ends. */
	private void endOldest() throws Exception {
		this.held.remove().passReplies();
		if (this.leaders.size() == 1) {
			// It sent a batch over one of the connections that were idle.
			this.held.forEach(TcpProxy::passReplies);
		}
		remaining(this.leaders.remove());
	}

	private List<FutureTask<Long>> send(int count) {
		return IntStream.range(0, count).mapToObj((i) -> send()).toList();
	}

	/** Send a request, which waits behind those before it. */
	private FutureTask<Long> send() {
		FutureTask<Long> task = new FutureTask<>(this::acquire);
		Thread thread = start(task);
		OneConnection.await(() -> task.isDone() || LockSupport.getBlocker(thread) != null);
		return task;
	}

	private static Thread start(FutureTask<Long> task) {
		Thread thread = new Thread(task);
		thread.start();
		return thread;
	}

	/** Returns how many permits are left. */
	private long acquire() {
		ScriptCall call = call();
		Exchange exchange = Exchanges.run(this.node, call, LONG);
		assertThat(exchange.hasEnded()).isTrue();
		assertThat(exchange.deliver()).isEmpty();
		return OneConnection.remaining(StoreCalls.result(call, this.request));
	}

	private ScriptCall call() {
		ScriptCall call = this.calls.of(StoreRequests.request(this.request.limit(), "s"));
		RespNodes.sendText(call);
		return call;
	}

	private static long remaining(FutureTask<Long> request) throws Exception {
		return request.get(LONG.toSeconds(), TimeUnit.SECONDS);
	}

	private long commands() {
		String stats = this.redis.info("commandstats");
		int from = stats.indexOf("cmdstat_eval:calls=") + "cmdstat_eval:calls=".length();
		return Long.parseLong(stats.substring(from, stats.indexOf(',', from)));
	}

}
