package dev.ratelimit.memcached;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;

import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.memcached.autoconfigure.RateLimitMemcachedAutoConfiguration;
import dev.ratelimit.memcached.meta.MemcachedConnections;
import dev.ratelimit.memcached.meta.Tls;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.StoreFailure;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Encrypted connections to a server with TLS.
 */
class EncryptionTests {

	private static final char[] PASSWORD = "changeit".toCharArray();

	private static final AcquireRequest REQUEST = Requests
		.request(Requests.limit(Algorithm.FIXED_WINDOW, "tls", "9/60s"), "u1", 1);

	@TempDir
	private Path directory;

	@BeforeEach
	void letTheServerRead() throws IOException {
		MemcachedServer.assumeTls();
		assertThat(this.directory.toFile().setExecutable(true, false)).isTrue();
	}

	@Test
	void connectionsAreEncryptedAndTheHostIsChecked() throws Exception {
		KeyStore right = certificate("right", "IP:127.0.0.1");
		KeyStore wrong = certificate("wrong", "DNS:cache.example.com");
		assertThat(acquire(right, right)).isInstanceOf(AcquireResult.Admitted.class);
		assertThat(acquire(wrong, wrong)).as("another host")
			.isInstanceOfSatisfying(AcquireResult.Failed.class, EncryptionTests::isNotPermitted);
		assertThat(acquire(right, wrong)).as("not trusted")
			.isInstanceOfSatisfying(AcquireResult.Failed.class, EncryptionTests::isNotPermitted);
	}

	@Test
	void anApplicationIsConfiguredWithABundleAndAUser() throws Exception {
		KeyStore right = certificate("right", "IP:127.0.0.1");
		Path key = pem("key", "PRIVATE KEY", right.getKey("server", PASSWORD));
		Path chain = pem("chain", "CERTIFICATE", right.getCertificate("server"));
		Path users = Files.writeString(this.directory.resolve("users"), "limiter:secret\n");
		assertThat(users.toFile().setReadable(true, false)).isTrue();
		try (MemcachedServer server = MemcachedServer.start("-Y", users.toString(), "-Z", "-o",
				"ssl_chain_cert=" + chain + ",ssl_key=" + key)) {
			new ApplicationContextRunner()
				.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, RateLimitAutoConfiguration.class,
						RateLimitMemcachedAutoConfiguration.class))
				.withPropertyValues("spring.application.name=shop", "ratelimit.store=memcached",
						"ratelimit.instances=1", "ratelimit.rules.login.thresholds=2/1m",
						"ratelimit.rules.login.algorithm=fixed-window", "ratelimit.rules.login.key=global",
						"spring.ssl.bundle.pem.cache.truststore.certificate=file:" + chain,
						"ratelimit.memcached.nodes=" + server.address(), "ratelimit.memcached.ssl.bundle=cache",
						"ratelimit.memcached.connect-timeout=10s", "ratelimit.memcached.username=limiter",
						"ratelimit.memcached.password=secret")
				.run((context) -> assertThat(Requests.acquire(context.getBean(RateLimitStore.class), REQUEST))
					.isInstanceOf(AcquireResult.Admitted.class));
		}
	}

	private static void isNotPermitted(AcquireResult.Failed failed) {
		assertThat(failed.failure()).isEqualTo(StoreFailure.NOT_PERMITTED);
	}

	private AcquireResult acquire(KeyStore presented, KeyStore trusted) throws Exception {
		Path key = pem("key", "PRIVATE KEY", presented.getKey("server", PASSWORD));
		Path chain = pem("chain", "CERTIFICATE", presented.getCertificate("server"));
		TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
		KeyStore authorities = KeyStore.getInstance("PKCS12");
		authorities.load(null, PASSWORD);
		authorities.setCertificateEntry("server", trusted.getCertificate("server"));
		trust.init(authorities);
		SSLContext context = SSLContext.getInstance("TLS");
		context.init(null, trust.getTrustManagers(), null);
		try (MemcachedServer server = MemcachedServer.start("-Z", "-o", "ssl_chain_cert=" + chain + ",ssl_key=" + key);
				MemcachedStore store = new MemcachedStore(
						new MemcachedConnections(List.of(server.address()), Duration.ofSeconds(2), 2, 10,
								Optional.empty(), Optional.of(new Tls(context::getSocketFactory, SSLParameters::new)))
							.open(),
						"rl", InstantSource.system(), (rule, acknowledged) -> {
						})) {
			return Requests.acquire(store, REQUEST);
		}
	}

	private Path pem(String name, String kind, Object content) throws Exception {
		byte[] der = (content instanceof Certificate certificate) ? certificate.getEncoded()
				: ((Key) content).getEncoded();
		String text = "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(kind,
				Base64.getMimeEncoder(64, new byte[] { '\n' }).encodeToString(der), kind);
		Path file = Files.writeString(this.directory.resolve(name + ".pem"), text);
		assertThat(file.toFile().setReadable(true, false)).isTrue();
		return file;
	}

	private KeyStore certificate(String name, String host) throws Exception {
		Path file = this.directory.resolve(name + ".p12");
		Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
				"-genkeypair", "-alias", "server", "-keyalg", "EC", "-dname", "CN=" + name, "-ext", "san=" + host,
				"-storetype", "PKCS12", "-keystore", file.toString(), "-storepass", new String(PASSWORD))
			.redirectErrorStream(true)
			.start();
		String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(keytool.waitFor()).as(said).isZero();
		KeyStore store = KeyStore.getInstance("PKCS12");
		try (InputStream in = Files.newInputStream(file)) {
			store.load(in, PASSWORD);
		}
		return store;
	}

}
