package dev.ratelimit.store.redis.resp;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import dev.ratelimit.store.wire.Deadline;
import dev.ratelimit.store.wire.NoConnectionException;
import dev.ratelimit.store.wire.Node;
import dev.ratelimit.store.wire.Nodes;
import dev.ratelimit.store.wire.Router;
import dev.ratelimit.support.DaemonThreads;
import dev.ratelimit.support.LogFields;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Redis nodes and the keys that they serve. A standalone Redis needs no discovery.
 * Otherwise a daemon thread keeps the topology up to date: it is discovered at once when
 * it is suspected, then every half second for a while; every half second while no server
 * answers; and every ten seconds otherwise. Requests never wait for it.
 */
final class Topology implements Router {

	/** The store's own category: the log shows the store as one component. */
	static final String CATEGORY = "dev.ratelimit.store.redis.RedisStore";

	private static final Logger logger = LoggerFactory.getLogger(CATEGORY);

	private static final Duration WHILE_ABSENT = Duration.ofMillis(500);

	private static final Duration BETWEEN_SUSPICIONS = Duration.ofMillis(200);

	private static final Duration AFTER_SUSPICION = Duration.ofMillis(300);

	private static final Duration WITHOUT_SUSPICION = Duration.ofSeconds(10);

	/**
	 * A failover takes that long, and a node that is not called is not suspected again.
	 */
	private static final Duration UNREST = Duration.ofSeconds(10);

	private final String name;

	private final Nodes nodes;

	private final Duration patience;

	private final Semaphore suspicions = new Semaphore(0);

	private final CountDownLatch attempted = new CountDownLatch(1);

	private final CountDownLatch closed = new CountDownLatch(1);

	/** Nodes that others have named, which need not serve a slot yet. */
	private final Map<Node, Deadline> named = new HashMap<>();

	private volatile SlotTable table = SlotTable.NONE;

	private volatile Optional<NoConnectionException> failure = Optional.empty();

	private Topology(String name, Nodes nodes, Duration patience) {
		this.name = name;
		this.nodes = nodes;
		this.patience = patience;
	}

	/**
	 * Start to connect to a standalone Redis. Redirections are followed all the same, in
	 * case the one address is that of a cluster node.
	 * @param name the name for the log
	 * @param nodes the nodes
	 * @param node the one of them that serves all keys
	 * @param patience how long to wait for a first connection, so that the first request
	 * does not come too early; it may fail all the same
	 * @return the topology
	 */
	static Topology of(String name, Nodes nodes, Node node, Duration patience) {
		Topology topology = new Topology(name, nodes, patience);
		topology.table = SlotTable.of(node);
		try {
			topology.connect();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return topology;
	}

	/**
	 * Start the discovery.
	 * @param name the name for the log
	 * @param nodes the nodes
	 * @param discovery discovers them; may block and fail
	 * @param patience how long to wait for the first attempt and again for first
	 * connections, so that the first request does not come too early; both may fail all
	 * the same
	 * @return the topology
	 */
	static Topology discovered(String name, Nodes nodes, NodeDiscovery discovery, Duration patience) {
		Topology topology = new Topology(name, nodes, patience);
		DaemonThreads.create("ratelimit-redis-topology", () -> topology.keepUpToDate(discovery)).start();
		try {
			boolean ignored = topology.attempted.await(2 * patience.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return topology;
	}

	private void keepUpToDate(NodeDiscovery discovery) {
		try {
			boolean suspected = false;
			Deadline unrest = Deadline.in(Duration.ZERO);
			while (this.closed.getCount() > 0) {
				suspected |= this.suspicions.drainPermits() > 0;
				if (suspected) {
					unrest = Deadline.in(UNREST);
				}
				boolean found = discover(discovery, suspected);
				connect();
				this.attempted.countDown();
				Duration pause = found ? BETWEEN_SUSPICIONS : WHILE_ABSENT;
				boolean over = this.closed.await(pause.toMillis(), TimeUnit.MILLISECONDS);
				Duration calm = unrest.isOver() ? WITHOUT_SUSPICION : AFTER_SUSPICION;
				suspected = found && !over && this.suspicions.tryAcquire(calm.toMillis(), TimeUnit.MILLISECONDS);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Open the first connection to each new node, so that no request has to wait for it.
	 */
	private void connect() throws InterruptedException {
		try {
			Set<Node> found = this.table.nodes();
			found.forEach(Node::openFirst);
			Deadline end = Deadline.in(this.patience);
			for (Node node : found) {
				node.awaitFirst(end);
			}
		}
		catch (Error ex) {
			// As in discover.
			logger.debug("Connections to " + this.name + " are opened when they are needed", ex);
		}
	}

	boolean discover(NodeDiscovery discovery, boolean suspected) {
		try {
			SlotTable found = discovery.discover(suspected);
			Set<Node> before = this.table.nodes();
			this.table = found;
			synchronized (this.named) {
				this.named.values().removeIf(Deadline::isOver);
				Set<Node> used = new HashSet<>(found.nodes());
				used.addAll(this.named.keySet());
				this.nodes.retain(used);
			}
			if (this.failure.isPresent() || !before.equals(found.nodes())) {
				logger.atInfo()
					.addKeyValue(LogFields.STORE, this.name)
					.log(this.name + " is served by " + found.nodes());
			}
			this.failure = Optional.empty();
			return true;
		}
		catch (Throwable ex) {
			// The thread must not end even after an Error: no other thread would discover
			// again.
			NoConnectionException cause = RespErrors.noConnection(ex);
			boolean isNew = this.failure.isEmpty();
			this.failure = Optional.of(cause);
			if (isNew) {
				logger.atWarn()
					.addKeyValue(LogFields.STORE, this.name)
					.log(this.name + " cannot be reached and is tried again in the background: " + cause.getMessage());
			}
			logger.debug(this.name + " cannot be reached", cause);
			return false;
		}
	}

	@Override
	public @Nullable Node nodeFor(Supplier<byte[]> key) {
		return this.table.nodeFor(key);
	}

	@Override
	public Optional<NoConnectionException> failure() {
		return this.failure;
	}

	/**
	 * The node that a redirection names stays in use for a while: a master that takes
	 * over its first slot is in no table before it has it.
	 */
	@Override
	public Node nodeAt(String address) {
		synchronized (this.named) {
			Node node = this.nodes.at(address);
			this.named.put(node, Deadline.in(UNREST));
			return node;
		}
	}

	@Override
	public long incarnation() {
		return this.nodes.incarnation();
	}

	@Override
	public void suspect() {
		if (this.suspicions.availablePermits() == 0) {
			this.suspicions.release();
		}
	}

	@Override
	public void close() {
		this.closed.countDown();
		this.suspicions.release();
		this.table = SlotTable.NONE;
		this.nodes.close();
	}

	/** Discovers the nodes. */
	@FunctionalInterface
	interface NodeDiscovery {

		/**
		 * Discover the nodes. May block and fail.
		 * @param suspected whether a node that was discovered last does not serve its
		 * keys
		 * @return the nodes
		 */
		SlotTable discover(boolean suspected);

	}

}
