package dev.ratelimit.store.redis.resp;

import java.util.function.Supplier;

import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocketFactory;

import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisCredentials;

import org.springframework.boot.ssl.SslBundle;

/**
 * Connection settings with TLS. The bundle is looked up for each connection, so a bundle
 * that was reloaded applies to connections opened from then on.
 */
final class Tls implements JedisClientConfig {

	private final JedisClientConfig plain;

	private final Supplier<@Nullable SslBundle> bundle;

	private volatile Loaded loaded;

	Tls(JedisClientConfig plain, Supplier<@Nullable SslBundle> bundle, SslBundle first) {
		this.plain = plain;
		this.bundle = bundle;
		this.loaded = Loaded.of(first);
	}

	/**
	 * Not locked, as connections are few: two concurrent calls may both load the bundle.
	 */
	private Loaded current() {
		SslBundle now = this.bundle.get();
		if (now != null && now != this.loaded.bundle()) {
			this.loaded = Loaded.of(now);
		}
		return this.loaded;
	}

	@Override
	public boolean isSsl() {
		return true;
	}

	@Override
	public SSLSocketFactory getSslSocketFactory() {
		return current().sockets();
	}

	@Override
	public SSLParameters getSslParameters() {
		return current().parameters();
	}

	@Override
	public int getConnectionTimeoutMillis() {
		return this.plain.getConnectionTimeoutMillis();
	}

	@Override
	public int getSocketTimeoutMillis() {
		return this.plain.getSocketTimeoutMillis();
	}

	@Override
	public Supplier<RedisCredentials> getCredentialsProvider() {
		return this.plain.getCredentialsProvider();
	}

	@Override
	public int getDatabase() {
		return this.plain.getDatabase();
	}

	@Override
	public String getClientName() {
		return this.plain.getClientName();
	}

	@Override
	public ClientSetInfoConfig getClientSetInfoConfig() {
		return this.plain.getClientSetInfoConfig();
	}

	private record Loaded(SslBundle bundle, SSLSocketFactory sockets, SSLParameters parameters) {

		static Loaded of(SslBundle bundle) {
			SSLParameters parameters = new SSLParameters(bundle.getOptions().getCiphers(),
					bundle.getOptions().getEnabledProtocols());
			// Without this, a certificate of any host would be accepted.
			parameters.setEndpointIdentificationAlgorithm("HTTPS");
			return new Loaded(bundle, bundle.createSslContext().getSocketFactory(), parameters);
		}

	}

}
