package dev.ratelimit.memcached.meta;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

import dev.ratelimit.store.wire.CallRunner;
import dev.ratelimit.store.wire.Deadline;
import dev.ratelimit.store.wire.Node;
import dev.ratelimit.store.wire.Nodes;
import dev.ratelimit.store.wire.RoutedCallRunner;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * How to connect to the servers.
 *
 * @param servers the servers, at least one; their order has no meaning
 * @param connectTimeout how long opening a connection may take
 * @param maxConnections how many connections are open to one server, at least 1
 * @param maxWaiting how many requests wait for a connection to one server; others fail at
 * once
 * @param credentials the user; empty for servers without users
 * @param tls how connections are encrypted; empty if they are not
 */
public record MemcachedConnections(List<ServerAddress> servers, Duration connectTimeout, int maxConnections,
		int maxWaiting, Optional<Credentials> credentials, Optional<Tls> tls) {

	/** The store's own category: the log shows the store as one component. */
	private static final Log logger = LogFactory.getLog("dev.ratelimit.memcached.MemcachedStore");

	public MemcachedConnections {
		servers = List.copyOf(servers);
	}

	/**
	 * Open the connections. Servers may be absent. Waits for a first connection to each,
	 * at most for the connect timeout.
	 * @return a runner of calls on these servers
	 * @throws UnusableServerException if a server answered that is too old
	 */
	public CallRunner open() {
		return new RoutedCallRunner(describe(), this::router, logger);
	}

	private ServerRouter router() {
		ServerConnector connector = new ServerConnector(this.connectTimeout, this.credentials, this.tls);
		Nodes nodes = new Nodes("memcached", connector, this.maxConnections, this.maxWaiting, logger);
		ServerRouter router = new ServerRouter(nodes, this.servers);
		connect(router.servers());
		Optional<String> unusable = connector.unusable();
		if (unusable.isPresent()) {
			router.close();
			throw new UnusableServerException(unusable.get());
		}
		return router;
	}

	private void connect(List<Node> nodes) {
		nodes.forEach(Node::openFirst);
		Deadline end = Deadline.in(this.connectTimeout);
		try {
			for (Node node : nodes) {
				node.awaitFirst(end);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private String describe() {
		return this.servers.stream().map(ServerAddress::toString).collect(Collectors.joining(",", "Memcached at ", ""));
	}

}
