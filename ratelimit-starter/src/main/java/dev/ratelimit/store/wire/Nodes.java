package dev.ratelimit.store.wire;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;

import org.apache.commons.logging.Log;

/**
 * The servers of one store that the limiter is connected to, by address. Tested by
 * {@code TopologyTests}.
 */
public final class Nodes implements AutoCloseable {

	private final Map<String, Node> nodes = new ConcurrentHashMap<>();

	private final Incarnation incarnation = new Incarnation();

	private final String threads;

	private final Connector connector;

	private final int maxConnections;

	private final int maxWaiting;

	private final LateLanes late;

	private final ScheduledExecutorService timer;

	private final Log logger;

	private volatile boolean closed;

	/**
	 * Create it without nodes.
	 * @param store the store, as the names of threads show it, such as {@code redis}
	 * @param connector opens the connections
	 * @param maxConnections how many there are to one node at most
	 * @param maxWaiting how many requests wait for one at most
	 * @param logger receives what no request is notified of
	 */
	public Nodes(String store, Connector connector, int maxConnections, int maxWaiting, Log logger) {
		this.threads = "ratelimit-" + store + "-";
		this.connector = connector;
		this.maxConnections = maxConnections;
		this.maxWaiting = maxWaiting;
		this.logger = logger;
		this.late = new LateLanes(BackgroundTasks.threadForOneTask(this.threads + "late"));
		this.timer = BackgroundTasks.timer(this.threads + "timer");
	}

	/**
	 * The node at an address, which is closed if this is. Opens no connection.
	 * @param address its host and port
	 * @return the node
	 */
	public Node at(String address) {
		Node node = this.nodes.computeIfAbsent(address,
				(name) -> new Node(name, this.threads, this.connector,
						new BatchSlots(this.maxConnections, BatchSlots.PATIENCE), this.maxWaiting, this.incarnation,
						this.late, this.timer, this.logger));
		if (this.closed) {
			// A discovery or a redirection may be under way while the store is closed.
			node.close();
		}
		return node;
	}

	/**
	 * A number that changes when all connections to a node were lost.
	 * @return the number
	 */
	public long incarnation() {
		return this.incarnation.number();
	}

	/**
	 * Close the nodes that are no longer in use.
	 * @param used the others
	 */
	public void retain(Collection<Node> used) {
		this.nodes.values().removeIf((node) -> {
			boolean gone = !used.contains(node);
			if (gone) {
				node.close();
			}
			return gone;
		});
	}

	@Override
	public void close() {
		this.closed = true;
		this.late.close();
		this.nodes.values().forEach(Node::close);
		this.timer.shutdown();
	}

}
