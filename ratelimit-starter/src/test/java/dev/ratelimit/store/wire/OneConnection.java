package dev.ratelimit.store.wire;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.redis.OwnRedis;
import dev.ratelimit.store.redis.SharedRedis;
import dev.ratelimit.store.redis.StoreCalls;
import dev.ratelimit.store.redis.StoreRequests;
import dev.ratelimit.store.redis.TcpProxy;
import dev.ratelimit.store.redis.resp.RespNodes;
import dev.ratelimit.store.redis.resp.Script;
import dev.ratelimit.store.redis.resp.ScriptCall;
import org.awaitility.Awaitility;
import redis.clients.jedis.Jedis;

/**
 * A store with one connection, which a test takes while requests gather: so it decides
 * which of them go together, in which order, and when.
 */
final class OneConnection implements AutoCloseable {

	/** For a request whose deadline does not matter. */
	static final Duration LONG = Duration.ofMinutes(2);

	/** For a request whose deadline passes; enough to gather on a busy machine. */
	static final Duration SHORT = Duration.ofSeconds(1);

	static final int MAX_WAITING = 30;

	private static final Duration POLL_INTERVAL = Duration.ofMillis(2);

	private static final Script ONE = Script.of("return 1");

	private final Limit limit = Limits.of("sharing", "100/60s");

	private final RedisServer server = OwnRedis.server();

	private final TcpProxy proxy = TcpProxy.to(this.server.port());

	private final Jedis redis = SharedRedis.connect(this.server);

	private final Nodes nodes = RespNodes.nodes(1, MAX_WAITING);

	private final Node node = this.nodes.at("127.0.0.1:" + this.proxy.port());

	private final CallRunner runner = RespNodes.runner(this.nodes, this.node);

	private final Queue<String> reported = new ConcurrentLinkedQueue<>();

	private final RateLimitStore store = StoreCalls.store(this.runner,
			(rule, acknowledged) -> this.reported.add(acknowledged ? "released" : "lost"));

	private final ThreadFactory threads;

	/**
	 * Open it, and load the scripts.
	 * @param threads creates the threads of the requests
	 */
	OneConnection(ThreadFactory threads) {
		this.threads = threads;
		AcquireRequest warmUp = StoreRequests.request(this.limit, "warm-up");
		StoreRequests.acquire(this.store, warmUp);
		this.store.settle(List.of(Settlement.release(new AcquiredPermits(warmUp))), Patience.LONG).await();
		run(call(List.of(), NodeCall.Afterwards.NOTHING));
		this.redis.configResetStat();
		this.proxy.reset();
	}

	RedisServer server() {
		return this.server;
	}

	TcpProxy proxy() {
		return this.proxy;
	}

	Node node() {
		return this.node;
	}

	Jedis redis() {
		return this.redis;
	}

	/** What became of permits that were granted too late. */
	Queue<String> reported() {
		return this.reported;
	}

	/** Take the connection, so that all requests wait. */
	Lane take() {
		return Exchanges.takeIdle(this.node);
	}

	void putBack(Lane lane) {
		this.node.release(lane, false);
	}

	/** Acquire a permit for the subject of all requests. */
	AcquireResult acquire(Duration maxWait) {
		return StoreRequests.acquire(this.store, StoreRequests.request(this.limit, "s"), maxWait);
	}

	/** Send a request on another thread, which waits behind those before it. */
	Visitor<AcquireResult> send(Duration maxWait) {
		return send(() -> acquire(maxWait));
	}

	Visitor<NodeCall.CallState> send(ScriptCall call, Duration maxWait) {
		return send(() -> run(call, maxWait));
	}

	<T> Visitor<T> send(Supplier<T> request) {
		Visitor<T> sent = start(request);
		await(() -> sent.task().isDone() || LockSupport.getBlocker(sent.thread()) != null);
		return sent;
	}

	/** Send a request on another thread, which may be reading then. */
	<T> Visitor<T> start(Supplier<T> request) {
		FutureTask<T> task = new FutureTask<>(request::get);
		Thread thread = this.threads.newThread(task);
		thread.start();
		return new Visitor<>(thread, task);
	}

	static ScriptCall call(List<byte[]> arguments, NodeCall.Afterwards afterwards) {
		return new ScriptCall(ONE, "k".getBytes(StandardCharsets.US_ASCII), arguments, afterwards);
	}

	private NodeCall.CallState run(ScriptCall call) {
		return run(call, LONG);
	}

	private NodeCall.CallState run(ScriptCall call, Duration maxWait) {
		this.runner.run(List.of(call), maxWait);
		return call.outcome();
	}

	/** Wait until so many calls were sent, which may share a command. */
	void awaitSent(int calls) {
		await(() -> this.proxy.requested("sharing:s") + this.proxy.requested("\\nk\\r") == calls);
	}

	void awaitReported(int count) {
		await(() -> this.reported.size() == count);
	}

	static void await(Callable<Boolean> condition) {
		Awaitility.await().atMost(LONG).pollDelay(Duration.ZERO).pollInterval(POLL_INTERVAL).until(condition);
	}

	/** How many permits the subject holds in Redis. */
	long stored() {
		return this.redis.zcard(StoreRequests.key(StoreRequests.request(this.limit, "s")));
	}

	/** A number of Redis' own statistics. */
	long stat(String section, String name) {
		Matcher matcher = Pattern.compile(name + "(\\d+)").matcher(this.redis.info(section));
		return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
	}

	static long remaining(AcquireResult result) {
		return ((AcquireResult.Admitted) result).usage().get(0).remaining();
	}

	@Override
	public void close() {
		this.store.close();
		this.redis.close();
		this.proxy.close();
	}

	/**
	 * A thread with a request.
	 *
	 * @param thread the thread
	 * @param task the request
	 */
	record Visitor<T>(Thread thread, FutureTask<T> task) {

		T result() {
			try {
				return this.task.get();
			}
			catch (ExecutionException | InterruptedException ex) {
				throw new AssertionError(ex);
			}
		}

	}

	static NodeCall.CallState failed(StoreFailure failure, Fate fate) {
		return new NodeCall.FailedCall(failure, fate);
	}

	/** Fails when its reply arrives late. */
	static final class Failing implements NodeCall.Afterwards {

		@Override
		public Optional<NodeCall> ran(Object reply) {
			throw new StackOverflowError("of the test");
		}

		@Override
		public void didNotRun() {
		}

		@Override
		public void lost() {
		}

	}

}
