package dev.ratelimit.store.redis;

import java.util.List;

import dev.ratelimit.store.redis.resp.RedisAddress;
import dev.ratelimit.store.redis.resp.RedisDetails;
import dev.ratelimit.store.redis.resp.RedisLogin;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;

/**
 * Connection details of test servers.
 */
public class TestConnectionDetails implements RedisDetails {

	private final RedisAddress address;

	private volatile RedisLogin login = RedisLogin.NONE;

	private volatile @Nullable SslBundle sslBundle;

	TestConnectionDetails(RedisAddress address) {
		this.address = address;
	}

	public static TestConnectionDetails standalone(String address) {
		return standalone(address, 0);
	}

	public static TestConnectionDetails standalone(String address, int database) {
		return new TestConnectionDetails(new RedisAddress.SingleServer(node(address), database));
	}

	public static TestConnectionDetails cluster(List<String> addresses) {
		return new TestConnectionDetails(new RedisAddress.ClusterNodes(nodes(addresses)));
	}

	public static TestConnectionDetails sentinel(String master, List<String> addresses) {
		return new TestConnectionDetails(
				new RedisAddress.SentinelMaster(master, nodes(addresses), 0, () -> RedisLogin.NONE));
	}

	public TestConnectionDetails as(@Nullable String username, @Nullable String password) {
		this.login = new RedisLogin(username, password);
		return this;
	}

	public TestConnectionDetails with(@Nullable SslBundle sslBundle) {
		this.sslBundle = sslBundle;
		return this;
	}

	private static List<RedisAddress.HostPort> nodes(List<String> addresses) {
		return addresses.stream().map(TestConnectionDetails::node).toList();
	}

	private static RedisAddress.HostPort node(String address) {
		int colon = address.lastIndexOf(':');
		return new RedisAddress.HostPort(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
	}

	@Override
	public RedisAddress address() {
		return this.address;
	}

	@Override
	public RedisLogin login() {
		return this.login;
	}

	@Override
	public @Nullable SslBundle sslBundle() {
		return this.sslBundle;
	}

}
