package dev.ratelimit.store.wire;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which requests get a free batch slot, and which go together. Two round trips are under
 * way, until the test lets their replies pass.
 */
class RequestBatcherTests {

	/** So that no request loses its patience. */
	private static final Duration LONG = OneConnection.LONG;

	private final AcquireRequest request = StoreRequests.request(Limits.of("lanes", "100/60s"), "s");

	private final StoreCalls calls = StoreCalls.shipped();

	private final RedisServer server = OwnRedis.server();

	private final Jedis redis = SharedRedis.connect(this.server);

	private final Nodes nodes = RespNodes.nodes(1, 1);

	private final Node node = node(this.server.port());

	private final List<TcpProxy> proxies = Stream.generate(() -> TcpProxy.to(this.server.port())).limit(3).toList();

	private final Queue<TcpProxy> held = new ArrayDeque<>();

	private final Queue<FutureTask<Long>> leaders = new ArrayDeque<>();

	private RequestBatcher batcher = new RequestBatcher(3, 30, LONG);

	@BeforeEach
	void connect() {
		connect(this.node);
	}

	@AfterEach
	void close() {
		this.nodes.close();
		this.redis.close();
		this.proxies.forEach(TcpProxy::close);
	}

	@Test
	void aRequestGoesWithTheNextRoundTripWhenBothBatchSlotsAreTaken() throws Exception {
		startTwoRoundTrips();
		FutureTask<Long> waiting = send(this.node);
		assertThat(waiting).isNotDone();
		endOldest();
		assertThat(remaining(waiting)).isEqualTo(97);
	}

	@Test
	void aRequestThatArrivesAloneWaitsForNoOther() throws Exception {
		startTwoRoundTrips();
		endOldest();
		assertThat(remaining(send(this.node))).isEqualTo(97);
		assertThat(remaining(send(this.node))).isEqualTo(96);
	}

	@Test
	void asManyRequestsAsInTheLastRoundTripGoAtOnce() throws Exception {
		sendThreeTogetherAndLeaveOneUnderWay();
		List<FutureTask<Long>> two = send(2);
		assertThat(two).noneMatch(FutureTask::isDone);
		FutureTask<Long> third = send(this.node);
		assertThat(remaining(two.get(0))).isEqualTo(94);
		assertThat(remaining(two.get(1))).isEqualTo(93);
		assertThat(remaining(third)).isEqualTo(92);
		assertThat(commands()).isEqualTo(1);
	}

	@Test
	void fewerRequestsGoWhenNoOtherRoundTripIsUnderWay() throws Exception {
		sendThreeTogetherAndLeaveOneUnderWay();
		List<FutureTask<Long>> two = send(2);
		assertThat(two).noneMatch(FutureTask::isDone);
		endOldest();
		assertThat(remaining(two.get(0))).isEqualTo(94);
		assertThat(remaining(two.get(1))).isEqualTo(93);
		assertThat(commands()).isEqualTo(1);
		assertThat(remaining(send(this.node))).isEqualTo(92);
	}

	@Test
	void fewerRequestsWaitForMoreWhenABatchSlotEndsWhileTheOtherIsInUse() throws Exception {
		sendThreeTogetherAndLeaveOneUnderWay();
		startRoundTripOfThree();
		FutureTask<Long> one = send(this.node);
		endOldest();
		FutureTask<Long> other = send(this.node);
		assertThat(List.of(one, other)).noneMatch(FutureTask::isDone);
		endOldest();
		assertThat(remaining(one)).isEqualTo(91);
		assertThat(remaining(other)).isEqualTo(90);
		assertThat(commands()).as("three, and these two").isEqualTo(2);
	}

	/** There is no further batch slot for a request that has waited too long. */
	@Test
	void withoutFurtherConnectionsABatchSlotThatEndsTakesAlongAnyRequestThatWaits() throws Exception {
		this.batcher = new RequestBatcher(2, 30, LONG);
		sendThreeTogetherAndLeaveOneUnderWay();
		startRoundTripOfThree();
		FutureTask<Long> one = send(this.node);
		endOldest();
		assertThat(remaining(one)).isEqualTo(91);
	}

	@Test
	void aRequestThatHasWaitedTooLongTakesAFurtherBatchSlot() throws Exception {
		this.batcher = new RequestBatcher(3, 30, Duration.ofMillis(1));
		startTwoRoundTrips();
		assertThat(remaining(send(this.node))).isEqualTo(97);
	}

	@Test
	void aRequestWaitsForOthersOnlyUntilItsPatienceEnds() throws Exception {
		this.batcher = new RequestBatcher(3, 30, Duration.ofMillis(500));
		sendThreeTogetherAndLeaveOneUnderWay();
		assertThat(remaining(send(this.node))).isEqualTo(94);
	}

	/** It sends a batch, but has no time to read a reply that arrives in parts. */
	@Test
	void aRequestWithoutTimeBreaksOffNoBatchThatItLeads() throws Exception {
		sendThreeTogetherAndLeaveOneUnderWay();
		Node behind = behind(this.proxies.get(2));
		List<FutureTask<Long>> two = List.of(send(behind), send(behind));
		this.proxies.get(2).holdAllBut('*');
		NodeCalls withoutTime = calls(behind);
		assertThat(this.batcher.run(withoutTime, new CallTime(Duration.ZERO))).isFalse();
		assertThat(withoutTime.calls()).extracting(NodeCall::outcome)
			.containsExactly(OneConnection.failed(StoreFailure.OVERLOADED, Fate.AWAITED));
		awaitStored(8);
		assertThat(two).noneMatch(FutureTask::isDone);
		this.proxies.get(2).passReplies();
		assertThat(remaining(two.get(0))).isEqualTo(94);
		assertThat(remaining(two.get(1))).isEqualTo(93);
	}

	@Test
	void aRequestWithoutTimeIsNotChosenToReadForOthers() throws Exception {
		sendThreeTogetherAndLeaveOneUnderWay();
		List<FutureTask<Long>> two = send(2);
		WaitingRequest withoutTime = new WaitingRequest(calls(this.node), new CallTime(Duration.ZERO));
		this.batcher.join(withoutTime);
		assertThat(withoutTime.state()).isNotEqualTo(WaitingRequest.State.READS);
		assertThat(remaining(two.get(0))).isEqualTo(94);
		assertThat(remaining(two.get(1))).isEqualTo(93);
		this.batcher.await(withoutTime, Deadline.in(Duration.ZERO));
		assertThat(withoutTime.hasEnded()).isTrue();
	}

	private void startTwoRoundTrips() {
		startRoundTrip(this.proxies.get(0), 1);
		startRoundTrip(this.proxies.get(1), 2);
	}

	private void startRoundTrip(TcpProxy proxy, long stored) {
		Node behind = behind(proxy);
		FutureTask<Long> leader = new FutureTask<>(() -> acquire(behind));
		this.leaders.add(leader);
		start(leader);
		awaitStored(stored);
	}

	private void sendThreeTogetherAndLeaveOneUnderWay() throws Exception {
		startTwoRoundTrips();
		List<FutureTask<Long>> three = send(3);
		endOldest();
		for (FutureTask<Long> each : three) {
			remaining(each);
		}
		this.redis.configResetStat();
	}

	private void startRoundTripOfThree() {
		Node behind = behind(this.proxies.get(2));
		assertThat(List.of(send(behind), send(behind))).noneMatch(FutureTask::isDone);
		FutureTask<Long> leader = new FutureTask<>(() -> acquire(behind));
		this.leaders.add(leader);
		start(leader);
		awaitStored(8);
	}

	/** A node whose replies are held back. */
	private Node behind(TcpProxy proxy) {
		Node behind = node(proxy.port());
		connect(behind);
		proxy.holdReplies();
		this.held.add(proxy);
		return behind;
	}

	private void awaitStored(long count) {
		OneConnection.await(() -> this.redis.zcard(StoreRequests.key(this.request)) == count);
	}

	/** The oldest round trip ends. */
	private void endOldest() throws Exception {
		this.held.remove().passReplies();
		remaining(this.leaders.remove());
	}

	private Node node(int port) {
		return this.nodes.at(this.server.host() + ":" + port);
	}

	private static void connect(Node node) {
		try {
			node.release(node.borrow(new CallTime(Patience.LONG)));
		}
		catch (InterruptedException | NoConnectionException ex) {
			throw new AssertionError(ex);
		}
	}

	private List<FutureTask<Long>> send(int count) {
		return IntStream.range(0, count).mapToObj((i) -> send(this.node)).toList();
	}

	/** Send a request, which waits behind those before it. */
	private FutureTask<Long> send(Node to) {
		FutureTask<Long> task = new FutureTask<>(() -> acquire(to));
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
	private long acquire(Node to) {
		NodeCalls calls = calls(to);
		assertThat(this.batcher.run(calls, new CallTime(OneConnection.LONG))).isTrue();
		calls.deliver();
		AcquireResult result = StoreCalls.result((ScriptCall) calls.calls().get(0), this.request);
		return OneConnection.remaining(result);
	}

	private NodeCalls calls(Node to) {
		NodeCalls calls = new NodeCalls(to, (where, failure, cause) -> {
		});
		ScriptCall call = this.calls.of(StoreRequests.request(this.request.limit(), "s"));
		RespNodes.sendText(call);
		calls.add(call);
		return calls;
	}

	private static long remaining(FutureTask<Long> request) throws Exception {
		return request.get(OneConnection.LONG.toSeconds(), TimeUnit.SECONDS);
	}

	private long commands() {
		String stats = this.redis.info("commandstats");
		int from = stats.indexOf("cmdstat_eval:calls=") + "cmdstat_eval:calls=".length();
		return Long.parseLong(stats.substring(from, stats.indexOf(',', from)));
	}

}
