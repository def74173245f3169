package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.Question;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who gets a free lane, and with whom. Three round trips are under way, until the test
 * lets their replies pass.
 */
class LanesTests {

	private static final int LANES = 3;

	/** So that nobody loses it. */
	private static final Duration PATIENCE = OneConnection.AGES;

	private final Question question = Asking.question(Limits.of("lanes", "100/60s"), "s");

	private final ScriptCalls calls = new ScriptCalls(SharedRedis.PREFIX, AlgorithmScripts.load());

	private final RedisServer server = RedisServer.start();

	private final Jedis redis = SharedRedis.connect(this.server);

	private final Nodes nodes = new Nodes(DefaultJedisClientConfig.builder().build(), 1, 1);

	private final Node node = node(this.server.port());

	private final List<TcpProxy> proxies = Stream.generate(() -> TcpProxy.to(this.server.port())).limit(LANES).toList();

	private final LateReplies late = new LateReplies();

	private final Lanes lanes = new Lanes(LANES, 30, PATIENCE);

	private final Queue<TcpProxy> held = new ArrayDeque<>(this.proxies);

	private final List<FutureTask<Long>> leaders = new ArrayList<>();

	@BeforeEach
	void threeAreUnderWay() {
		for (TcpProxy proxy : this.proxies) {
			Node behind = node(proxy.port());
			connect(behind);
			proxy.holdReplies();
			FutureTask<Long> leader = new FutureTask<>(() -> ask(behind));
			new Thread(leader).start();
			this.leaders.add(leader);
			OneConnection.await(() -> this.redis.zcard(Asking.key(this.question)) == this.leaders.size());
		}
		connect(this.node);
		this.redis.configResetStat();
	}

	@AfterEach
	void close() throws Exception {
		this.held.forEach(TcpProxy::passReplies);
		for (FutureTask<Long> leader : this.leaders) {
			remaining(leader);
		}
		this.late.close();
		this.redis.close();
		this.proxies.forEach(TcpProxy::close);
		this.server.close();
	}

	@Test
	void whoWaitsGoesTogetherWithWhoComesAndBeforeIt() throws Exception {
		List<FutureTask<Long>> waiting = come(2);
		endsOne();
		assertThat(waiting).noneMatch(FutureTask::isDone);
		FutureTask<Long> another = comes();
		assertThat(remaining(waiting.get(0))).isEqualTo(96);
		assertThat(remaining(waiting.get(1))).isEqualTo(95);
		assertThat(remaining(another)).isEqualTo(94);
		assertThat(commands()).isEqualTo(1);
	}

	@Test
	void whoWaitsGoesWhenAnotherLaneIsFree() throws Exception {
		List<FutureTask<Long>> waiting = come(2);
		endsOne();
		assertThat(waiting).noneMatch(FutureTask::isDone);
		endsOne();
		assertThat(remaining(waiting.get(0))).isEqualTo(96);
		assertThat(remaining(waiting.get(1))).isEqualTo(95);
		assertThat(commands()).isEqualTo(1);
	}

	@Test
	void fourThatWaitGoAtOnce() throws Exception {
		List<FutureTask<Long>> waiting = come(4);
		endsOne();
		for (int i = 0; i < 4; i++) {
			assertThat(remaining(waiting.get(i))).isEqualTo(96 - i);
		}
		assertThat(commands()).isEqualTo(1);
	}

	@Test
	void whoFindsALaneNeedsNobody() throws Exception {
		endsOne();
		assertThat(remaining(comes())).isEqualTo(96);
		assertThat(remaining(comes())).isEqualTo(95);
	}

	/** The oldest round trip ends. */
	private void endsOne() throws Exception {
		int oldest = LANES - this.held.size();
		this.held.remove().passReplies();
		remaining(this.leaders.get(oldest));
	}

	private Node node(int port) {
		return this.nodes.at(new HostAndPort(this.server.host(), port));
	}

	private static void connect(Node node) {
		try {
			node.release(node.borrow(Deadline.in(Patience.LONG)));
		}
		catch (InterruptedException | NoLinkException ex) {
			throw new AssertionError(ex);
		}
	}

	private List<FutureTask<Long>> come(int count) {
		return IntStream.range(0, count).mapToObj((i) -> comes()).toList();
	}

	/** Comes behind those before it. */
	private FutureTask<Long> comes() {
		FutureTask<Long> task = new FutureTask<>(() -> ask(this.node));
		Thread thread = new Thread(task);
		thread.start();
		OneConnection.await(() -> task.isDone() || LockSupport.getBlocker(thread) != null);
		return task;
	}

	/** Tells how many permits are left. */
	private long ask(Node to) {
		Question question = Asking.question(this.question.limit(), "s");
		NodeExchange exchange = new NodeExchange(to, (where, failure, cause) -> {
		});
		ScriptCall call = this.calls.take(question, ScriptCall.Afterwards.NOTHING);
		exchange.add(Attempt.first(call, to).withScriptText());
		assertThat(this.lanes.run(exchange, Deadline.in(OneConnection.AGES), this.late)).isTrue();
		exchange.deliver();
		Answer answer = UsageReply.read(((ScriptCall.Replied) call.outcome()).reply(), question);
		return OneConnection.remaining(answer);
	}

	private static long remaining(FutureTask<Long> asked) throws Exception {
		return asked.get(OneConnection.AGES.toSeconds(), TimeUnit.SECONDS);
	}

	private long commands() {
		String stats = this.redis.info("commandstats");
		int from = stats.indexOf("cmdstat_eval:calls=") + "cmdstat_eval:calls=".length();
		return Long.parseLong(stats.substring(from, stats.indexOf(',', from)));
	}

}
