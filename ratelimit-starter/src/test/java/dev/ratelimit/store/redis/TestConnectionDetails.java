package dev.ratelimit.store.redis;

import java.util.List;

import dev.ratelimit.store.wire.Connection;
import dev.ratelimit.store.wire.Node;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/**
 * Connection details of test servers.
 */
public class TestConnectionDetails implements DataRedisConnectionDetails {

	private final @Nullable Standalone standalone;

	private final @Nullable Cluster cluster;

	private final @Nullable Sentinel sentinel;

	private volatile @Nullable String username;

	private volatile @Nullable String password;

	private volatile @Nullable SslBundle sslBundle;

	/** Details without a server. */
	TestConnectionDetails() {
		this(null, null, null);
	}

	private TestConnectionDetails(@Nullable Standalone standalone, @Nullable Cluster cluster,
			@Nullable Sentinel sentinel) {
		this.standalone = standalone;
		this.cluster = cluster;
		this.sentinel = sentinel;
	}

	public static TestConnectionDetails standalone(String address) {
		return standalone(address, 0);
	}

	public static TestConnectionDetails standalone(String address, int database) {
		Node node = node(address);
		return new TestConnectionDetails(Standalone.of(node.host(), node.port(), database), null, null);
	}

	public static TestConnectionDetails cluster(List<String> addresses) {
		return new TestConnectionDetails(null, () -> nodes(addresses), null);
	}

	public static TestConnectionDetails sentinel(String master, List<String> addresses) {
		return new TestConnectionDetails(null, null, new Sentinel() {

			@Override
			public int getDatabase() {
				return 0;
			}

			@Override
			public String getMaster() {
				return master;
			}

			@Override
			public List<Node> getNodes() {
				return nodes(addresses);
			}

			@Override
			public @Nullable String getUsername() {
				return null;
			}

			@Override
			public @Nullable String getPassword() {
				return null;
			}

		});
	}

	public TestConnectionDetails as(@Nullable String username, @Nullable String password) {
		this.username = username;
		this.password = password;
		return this;
	}

	public TestConnectionDetails with(SslBundle sslBundle) {
		this.sslBundle = sslBundle;
		return this;
	}

	private static List<Node> nodes(List<String> addresses) {
		return addresses.stream().map(TestConnectionDetails::node).toList();
	}

	private static Node node(String address) {
		int colon = address.lastIndexOf(':');
		return new Node(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
	}

	@Override
	public @Nullable String getUsername() {
		return this.username;
	}

	@Override
	public @Nullable String getPassword() {
		return this.password;
	}

	@Override
	public @Nullable SslBundle getSslBundle() {
		return this.sslBundle;
	}

	@Override
	public @Nullable Standalone getStandalone() {
		return this.standalone;
	}

	@Override
	public @Nullable Cluster getCluster() {
		return this.cluster;
	}

	@Override
	public @Nullable Sentinel getSentinel() {
		return this.sentinel;
	}

}
