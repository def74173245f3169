package dev.ratelimit.store.redis.resp;

import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * What a discovery found: which node answers for a key, at one instant.
 */
interface NodeRoute {

	/** Nothing is known. */
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
	 * All keys are on one node.
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
