package dev.ratelimit.store.wire;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.BlockingCalls;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.redis.OwnRedis;
import dev.ratelimit.store.redis.StoreCalls;
import dev.ratelimit.store.redis.StoreRequests;
import dev.ratelimit.store.redis.TcpProxy;
import dev.ratelimit.store.redis.resp.RespNodes;
import dev.ratelimit.store.redis.resp.ScriptCall;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls that leave a completion instead of a thread that waits.
 */
class CompletionTests {

	private static final Duration LONGER_THAN_THE_TEST = OneConnection.LONG.multipliedBy(4);

	private static final int CONNECTIONS = 4;

	private static final int MAX_WAITING = 1000;

	/** Passes in a test, in some four times this long. */
	private static final Duration SHORT = Duration.ofMillis(300);

	private final RedisServer server = OwnRedis.server();

	private final TcpProxy proxy = TcpProxy.to(this.server.port());

	private final Nodes nodes = RespNodes.nodes(CONNECTIONS, MAX_WAITING);

	private final Node node = this.nodes.at("127.0.0.1:" + this.proxy.port());

	private final CallRunner runner = RespNodes.runner(this.nodes, this.node);

	private final Limit limit = Limits.of("completions", "500/600s");

	private final StoreCalls calls = StoreCalls.shipped();

	@AfterEach
	void close() {
		this.runner.close();
		this.proxy.close();
	}

	/** A call under way. */
	private record Started(ScriptCall call, AtomicInteger completions) {

		boolean isComplete() {
			return this.completions.get() > 0;
		}

		Fate fate() {
			return ((NodeCall.FailedCall) this.call.outcome()).fate();
		}

		StoreFailure failure() {
			return ((NodeCall.FailedCall) this.call.outcome()).failure();
		}

	}

	private Started start(ScriptCall call, Duration maxWait) {
		Started started = new Started(call, new AtomicInteger());
		this.runner.start(List.of(call), maxWait, started.completions()::incrementAndGet);
		return started;
	}

	private Started start(Duration maxWait) {
		return start(this.calls.of(StoreRequests.request(this.limit, "s")), maxWait);
	}

	private List<Started> start(int count, Duration maxWait) {
		return IntStream.range(0, count).mapToObj((i) -> start(maxWait)).toList();
	}

	private static void await(List<Started> all) {
		OneConnection.await(() -> all.stream().allMatch(Started::isComplete));
	}

	private static void assertEachCompletedOnce(List<Started> all) {
		assertThat(all).allMatch((started) -> started.completions().get() == 1);
	}

	private boolean isAdmitted(Started started) {
		return StoreCalls.result(started.call(),
				StoreRequests.request(this.limit, "s")) instanceof AcquireResult.Admitted;
	}

	private long threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().equals("ratelimit-redis-io-" + this.node))
			.count();
	}

	@Test
	void aThousandFromOneThreadThatNeverWaits() {
		await(start(1, OneConnection.LONG));
		this.proxy.holdReplies();
		List<Started> all = new ArrayList<>();
		assertThat(BlockingCalls.of(() -> all.addAll(start(MAX_WAITING, OneConnection.LONG)))).isEmpty();
		OneConnection.await(() -> threads() > 0);
		assertThat(threads()).isLessThanOrEqualTo(2 * CONNECTIONS);
		assertThat(all).noneMatch(Started::isComplete);
		this.proxy.passReplies();
		await(all);
		assertEachCompletedOnce(all);
		assertThat(all.stream().filter(this::isAdmitted)).hasSize(499);
	}

	@Test
	void whatTheDetectorOfBlockingCallsSees() {
		assertThat(BlockingCalls.of(() -> LockSupport.parkNanos(1))).isNotEmpty();
		assertThat(BlockingCalls
			.of(() -> this.runner.run(List.of(this.calls.of(StoreRequests.request(this.limit, "s"))), Patience.LONG)))
			.anyMatch((event) -> event.contains("Socket"));
	}

	@Test
	void aRedisThatNeverAnswersEndsNoneLaterThanItsTime() {
		await(start(1, OneConnection.LONG));
		this.proxy.swallowReplies();
		List<Started> all = start(300, SHORT);
		await(all);
		assertEachCompletedOnce(all);
		assertThat(all).allMatch((started) -> started.call().outcome() instanceof NodeCall.FailedCall);
		assertThat(all).extracting(Started::fate).contains(Fate.AWAITED).doesNotContain(Fate.UNKNOWN);
		assertThat(all.get(0).failure()).isEqualTo(StoreFailure.TIMEOUT);
	}

	@Test
	void withoutAnyTimeEachEndsAtOnceAndOnce() {
		await(start(1, OneConnection.LONG));
		this.proxy.holdReplies();
		List<Started> all = start(50, Duration.ZERO);
		await(all);
		assertThat(this.node.isSilent()).as("it had no time to answer").isFalse();
		this.proxy.passReplies();
		assertEachCompletedOnce(all);
		assertThat(all).extracting(Started::failure)
			.as("the time is over, whether or not one was sent")
			.isSubsetOf(StoreFailure.TIMEOUT, StoreFailure.OVERLOADED);
		assertThat(all).extracting(Started::fate).doesNotContain(Fate.UNKNOWN);
	}

	@Test
	void eachReplyIsEitherDeliveredOrHandledLate() {
		LateReplyRecorder afterwards = new LateReplyRecorder();
		await(List.of(start(OneConnection.call(List.of(), afterwards), OneConnection.LONG)));
		this.proxy.holdReplies();
		List<Started> all = IntStream.range(0, 100)
			.mapToObj((i) -> start(OneConnection.call(List.of(), afterwards), SHORT))
			.toList();
		OneConnection.await(() -> all.stream().anyMatch(Started::isComplete));
		this.proxy.passReplies();
		await(all);
		assertEachCompletedOnce(all);
		long awaited = all.stream()
			.filter((started) -> started.call().outcome() instanceof NodeCall.FailedCall)
			.filter((started) -> started.fate() == Fate.AWAITED)
			.count();
		assertThat(awaited).isPositive();
		OneConnection.await(() -> afterwards.late().size() == awaited);
	}

	@Test
	void aServerThatDiesEndsThemAll() {
		await(start(1, OneConnection.LONG));
		this.proxy.holdReplies();
		List<Started> all = start(300, LONGER_THAN_THE_TEST);
		OneConnection.await(() -> threads() > 0);
		this.server.kill();
		this.proxy.reset();
		this.proxy.passReplies();
		this.proxy.close();
		await(all);
		assertEachCompletedOnce(all);
	}

	@Test
	void sharesBatchesWithRequestsOfThreads() throws InterruptedException {
		CountDownLatch done = new CountDownLatch(50);
		for (int i = 0; i < 50; i++) {
			ThreadKind.PLATFORM.newThread(() -> {
				try {
					this.runner.run(List.of(this.calls.of(StoreRequests.request(this.limit, "s"))), OneConnection.LONG);
				}
				finally {
					done.countDown();
				}
			}).start();
		}
		List<Started> all = start(500, OneConnection.LONG);
		await(all);
		done.await();
		assertThat(all.stream().filter(this::isAdmitted).count()).isBetween(450L, 500L);
		assertThat(start(OneConnection.LONG)).satisfies((last) -> {
			await(List.of(last));
			assertThat(isAdmitted(last)).isFalse();
		});
	}

	@Test
	void moreThanMayWaitFailAtOnce() {
		await(start(1, OneConnection.LONG));
		this.proxy.holdReplies();
		List<Started> all = start(3 * MAX_WAITING, OneConnection.LONG);
		List<Started> refused = all.stream().filter(Started::isComplete).toList();
		assertThat(refused).hasSizeGreaterThan(MAX_WAITING)
			.allMatch((started) -> started.failure() == StoreFailure.OVERLOADED && started.fate() == Fate.NOT_TAKEN);
		this.proxy.passReplies();
		await(all);
		assertEachCompletedOnce(all);
	}

	@Test
	void withoutThreadsOfTheNodeTheyFailInTime() {
		this.node.threads().close();
		List<Started> all = start(10, SHORT);
		await(all);
		assertEachCompletedOnce(all);
		assertThat(all).extracting(Started::fate).containsOnly(Fate.NOT_TAKEN);
	}

	@Test
	void aClosedRunnerEndsThem() {
		await(start(1, OneConnection.LONG));
		this.runner.close();
		List<Started> all = start(10, LONGER_THAN_THE_TEST);
		await(all);
		assertEachCompletedOnce(all);
		assertThat(all).extracting(Started::fate).containsOnly(Fate.NOT_TAKEN);
	}

	@Test
	void aCompletionThatFailsAffectsNoOther() {
		this.proxy.holdReplies();
		this.runner.start(List.of(this.calls.of(StoreRequests.request(this.limit, "s"))), OneConnection.LONG, () -> {
			throw new IllegalStateException("of the test");
		});
		List<Started> all = start(10, OneConnection.LONG);
		this.proxy.passReplies();
		await(all);
		assertThat(all).allMatch(this::isAdmitted);
	}

	@Test
	void aCallThatIsTooLargeForASendBuffer() {
		byte[] large = "x".repeat(Exchange.MOST_BYTES + 1).getBytes(StandardCharsets.US_ASCII);
		List<Started> all = IntStream.range(0, 2)
			.mapToObj((i) -> start(OneConnection.call(List.of(large), NodeCall.Afterwards.NOTHING), OneConnection.LONG))
			.toList();
		await(all);
		assertThat(all).extracting((started) -> started.call().outcome()).containsOnly(new NodeCall.Replied(1L));
	}

}
