package dev.ratelimit.store.redis.resp;

import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * The result of a discovery: which node serves a key, at one instant.
 */
interface NodeRoute {

	/** The route while no node is known. */
	NodeRoute NONE = new NodeRoute() {

		@Override
		public @Nullable Node nodeFor(Supplier<byte[]> key) {
			return null;
		}

		@Override
		public Set<Node> nodes() {
			return Set.of();
		}

	};

	/**
	 * A route with all keys on one node.
	 * @param node the node
	 * @return the route
	 */
	static NodeRoute to(Node node) {
		return new NodeRoute() {

			@Override
			public Node nodeFor(Supplier<byte[]> key) {
				return node;
			}

			@Override
			public Set<Node> nodes() {
				return Set.of(node);
			}

		};
	}

	@Nullable Node nodeFor(Supplier<byte[]> key);

	Set<Node> nodes();

}
