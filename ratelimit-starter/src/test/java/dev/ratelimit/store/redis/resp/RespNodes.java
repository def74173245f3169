package dev.ratelimit.store.redis.resp;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.store.wire.CallRunner;
import dev.ratelimit.store.wire.Connection;
import dev.ratelimit.store.wire.NoConnectionException;
import dev.ratelimit.store.wire.Node;
import dev.ratelimit.store.wire.Nodes;
import dev.ratelimit.store.wire.RoutedCallRunner;
import dev.ratelimit.store.wire.Router;
import org.apache.commons.logging.LogFactory;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;

/**
 * Real Redis servers for tests of what sends calls.
 */
public final class RespNodes {

	private static final JedisClientConfig CONFIG = DefaultJedisClientConfig.builder().build();

	private RespNodes() {
	}

	public static Nodes nodes(int maxConnections, int maxWaiting) {
		return RedisConnections.nodes(() -> CONFIG, 0, maxConnections, maxWaiting);
	}

	public static String address(RedisServer server) {
		return new HostAndPort(server.host(), server.port()).toString();
	}

	public static Connection connect(int port) throws NoConnectionException {
		return RespCodec.connect(new HostAndPort("127.0.0.1", port), CONFIG, 0);
	}

	/** Runs calls on one node, to which there is a connection. */
	public static CallRunner runner(Nodes nodes, Node node) {
		return runner(Topology.of("test", nodes, node, Patience.LONG));
	}

	public static CallRunner runner(Router router) {
		return new RoutedCallRunner("test", () -> router, LogFactory.getLog(RespNodes.class));
	}

	/** Runs calls on the one node that each discovery finds. */
	public static CallRunner discovered(Nodes nodes, Supplier<Node> discovery) {
		return runner(Topology.discovered("test", nodes, (suspected) -> SlotTable.of(discovery.get()), Patience.LONG));
	}

	/** Runs calls on a Cluster whose nodes are reached at ports of proxies. */
	public static CallRunner cluster(List<HostAndPort> seeds, Function<HostAndPort, HostAndPort> proxy) {
		JedisClientConfig config = DefaultJedisClientConfig.builder().hostAndPortMapper(proxy::apply).build();
		Nodes nodes = RedisConnections.nodes(() -> config, 0, 4, 100);
		Discovery discovery = Discovery.ofCluster(nodes, seeds, () -> config);
		return runner(Topology.discovered("test", nodes, discovery::discover, Duration.ofSeconds(10)));
	}

	/** Makes a call follow a redirection to a slot that is being migrated. */
	public static void ask(ScriptCall call) {
		call.redirect(true);
	}

	/** Makes a call send the text of its script. */
	public static void sendText(ScriptCall call) {
		call.sendText();
	}

}
