package dev.ratelimit.store.redis.resp;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import dev.ratelimit.store.wire.Node;
import dev.ratelimit.store.wire.Nodes;
import dev.ratelimit.support.DaemonThreads;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When the topology is discovered.
 */
class TopologyTests {

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private final Nodes nodes = RespNodes.nodes(1, 1);

	private final SlotTable table = SlotTable.of(this.nodes.at("127.0.0.1:1"));

	private final AtomicInteger discoveries = new AtomicInteger();

	private final AtomicReference<Thread> thread = new AtomicReference<>();

	private final Topology topology = Topology.discovered("test", this.nodes, (suspected) -> {
		this.thread.set(Thread.currentThread());
		this.discoveries.incrementAndGet();
		return this.table;
	}, PATIENCE);

	@AfterEach
	void close() {
		this.topology.close();
	}

	/**
	 * The nodes that reply may not have noticed a failover yet, and a node whose breaker
	 * is open is suspected by a probe a second at most: without a suspicion the next
	 * discovery is after ten seconds.
	 */
	@Test
	void aSuspicionIsFollowedByRepeatedDiscoveries() {
		this.topology.suspect();
		Awaitility.await().atMost(PATIENCE).until(() -> this.discoveries.get() >= 6);
	}

	/** A master that takes over its first slot is in no table before it has it. */
	@Test
	void aNodeThatARedirectionNamesOutlivesADiscoveryWithoutIt() {
		Node named = this.topology.nodeAt("127.0.0.1:2");
		this.topology.suspect();
		Awaitility.await().atMost(PATIENCE).until(() -> this.discoveries.get() >= 3);
		assertThat(this.topology.nodeAt("127.0.0.1:2")).isSameAs(named);
	}

	@Test
	void aDiscoveryDoesNotCloseANodeBeforeItIsNamed() throws Exception {
		AtomicBoolean over = new AtomicBoolean();
		FutureTask<Void> discovering = new FutureTask<>(() -> {
			while (!over.get()) {
				this.topology.discover((suspected) -> this.table, false);
			}
		}, null);
		DaemonThreads.create("test-discovery", discovering).start();
		List<Node> named = IntStream.range(1000, 3000)
			.mapToObj((port) -> this.topology.nodeAt("127.0.0.1:" + port))
			.toList();
		over.set(true);
		discovering.get();
		assertThat(named).allMatch((node) -> this.nodes.at(node.name()) == node);
	}

	@Test
	void anErrorDoesNotEndTheSearchForNodes() {
		AtomicInteger attempts = new AtomicInteger();
		try (Topology broken = Topology.discovered("test", this.nodes, (suspected) -> {
			if (attempts.incrementAndGet() == 1) {
				throw new NoClassDefFoundError("broken");
			}
			return this.table;
		}, PATIENCE)) {
			Awaitility.await().atMost(PATIENCE).until(() -> broken.nodeFor(() -> new byte[0]) != null);
			assertThat(broken.failure()).isEmpty();
		}
	}

	@Test
	void nothingIsDiscoveredOnceItIsClosed() throws InterruptedException {
		Awaitility.await().atMost(PATIENCE).until(this::waitsForSuspicions);
		this.topology.close();
		this.thread.get().join(PATIENCE.toMillis());
		assertThat(this.thread.get().isAlive()).isFalse();
		assertThat(this.discoveries).hasValue(1);
		assertThat(this.topology.nodeFor(() -> new byte[0])).isNull();
	}

	@Test
	void itsThreadKeepsNoClassLoaderOfAWebApplicationAlive() throws IOException {
		ClassLoader before = Thread.currentThread().getContextClassLoader();
		try (URLClassLoader webApplication = new URLClassLoader(new URL[0], before)) {
			Thread.currentThread().setContextClassLoader(webApplication);
			AtomicReference<ClassLoader> used = new AtomicReference<>();
			Topology.discovered("test", this.nodes, (suspected) -> {
				used.set(Thread.currentThread().getContextClassLoader());
				return this.table;
			}, PATIENCE).close();
			assertThat(used.get()).isNotNull().isNotSameAs(webApplication);
		}
		finally {
			Thread.currentThread().setContextClassLoader(before);
		}
	}

	private boolean waitsForSuspicions() {
		return Arrays.stream(this.thread.get().getStackTrace())
			.anyMatch((frame) -> frame.getMethodName().equals("tryAcquire"));
	}

}
