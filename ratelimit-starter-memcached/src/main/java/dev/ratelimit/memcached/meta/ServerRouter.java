package dev.ratelimit.memcached.meta;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import dev.ratelimit.store.wire.NoConnectionException;
import dev.ratelimit.store.wire.Node;
import dev.ratelimit.store.wire.Nodes;
import dev.ratelimit.store.wire.Router;

/**
 * Distributes the keys over the configured servers. A server that does not answer keeps
 * its keys: if others counted them meanwhile, its clients would have their whole limits
 * again, and once more when it returns.
 */
final class ServerRouter implements Router {

	private final Nodes nodes;

	private final List<Node> servers;

	private final RendezvousHash hash;

	ServerRouter(Nodes nodes, List<ServerAddress> addresses) {
		this.nodes = nodes;
		this.servers = addresses.stream().map(ServerAddress::toString).map(nodes::at).toList();
		this.hash = new RendezvousHash(addresses.stream().map(ServerAddress::toString).toList());
	}

	/** All servers. */
	List<Node> servers() {
		return this.servers;
	}

	@Override
	public Node nodeFor(Supplier<byte[]> key) {
		return this.servers.get((this.servers.size() == 1) ? 0 : this.hash.serverOf(key.get()));
	}

	@Override
	public Node nodeAt(String address) {
		return this.nodes.at(address);
	}

	@Override
	public Optional<NoConnectionException> failure() {
		return Optional.empty();
	}

	@Override
	public long incarnation() {
		return this.nodes.incarnation();
	}

	@Override
	public void suspect() {
		// The servers are configured; there is nothing to find again.
	}

	@Override
	public void close() {
		this.nodes.close();
	}

}
