package dev.ratelimit.memcached.autoconfigure;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import javax.net.ssl.SSLParameters;

import dev.ratelimit.memcached.MemcachedStore;
import dev.ratelimit.memcached.meta.Credentials;
import dev.ratelimit.memcached.meta.MemcachedConnections;
import dev.ratelimit.memcached.meta.ServerAddress;
import dev.ratelimit.memcached.meta.Tls;
import dev.ratelimit.memcached.meta.UnusableServerException;
import dev.ratelimit.spi.ConditionalOnStore;
import dev.ratelimit.spi.ModuleContext;
import dev.ratelimit.spi.ModuleRules;
import dev.ratelimit.spi.RulesNotEnforceableException;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.wire.CallRunner;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.util.StringUtils;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for counting in Memcached. Nothing is created unless a rule is
 * enforced.
 */
@AutoConfiguration(beforeName = "dev.ratelimit.autoconfigure.RateLimitAutoConfiguration")
@EnableConfigurationProperties(MemcachedProperties.class)
@ConditionalOnStore("memcached")
@Lazy
public final class RateLimitMemcachedAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(RateLimitStore.class)
	MemcachedStore rateLimitStarterStore(MemcachedProperties memcached, ModuleContext context,
			ObjectProvider<SslBundles> bundles, @Qualifier("rateLimitClock") InstantSource clock) {
		return new MemcachedStore(context.manage(open(memcached, bundles)), context.keyPrefix("Memcached"), clock,
				context.lateReplies());
	}

	private static CallRunner open(MemcachedProperties memcached, ObjectProvider<SslBundles> bundles) {
		if (memcached.nodes().isEmpty()) {
			throw new RulesNotEnforceableException("ratelimit.memcached.nodes names no server",
					"List the servers, such as cache-1.example.com:11211, cache-2.example.com:11211");
		}
		List<ServerAddress> servers = memcached.nodes()
			.stream()
			.map((node) -> ServerAddress.of(node).orElseThrow())
			.toList();
		Optional<Credentials> credentials = Optional.ofNullable(memcached.username())
			.map((username) -> new Credentials(username, String.valueOf(memcached.password())));
		try {
			return new MemcachedConnections(servers, memcached.connectTimeout(), memcached.maxConnections(),
					memcached.maxWaiting(), credentials, tls(memcached.ssl(), bundles))
				.open();
		}
		catch (UnusableServerException ex) {
			throw new RulesNotEnforceableException(String.valueOf(ex.getMessage()), "Update the server");
		}
	}

	/** Reads the bundle for each connection, as it may be reloaded. */
	static Optional<Tls> tls(MemcachedProperties.Ssl ssl, ObjectProvider<SslBundles> bundles) {
		String name = ssl.bundle();
		if (!StringUtils.hasText(name)) {
			return Optional.empty();
		}
		Supplier<SslBundle> bundle = () -> bundles.getObject().getBundle(name);
		// A bundle that is missing stops the start.
		SslBundle ignored = bundle.get();
		return Optional
			.of(new Tls(() -> bundle.get().createSslContext().getSocketFactory(), () -> parameters(bundle.get())));
	}

	private static SSLParameters parameters(SslBundle bundle) {
		return new SSLParameters(bundle.getOptions().getCiphers(), bundle.getOptions().getEnabledProtocols());
	}

	/** A store of the application has limits of its own. */
	@Bean
	@ConditionalOnBean(MemcachedStore.class)
	ModuleRules rateLimitStarterMemcachedCheck(ModuleContext context) {
		return new MemcachedRules(context);
	}

}
