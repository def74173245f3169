package dev.ratelimit.embeddedredis;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

class RedisServerTlsTests {

	private static final char[] PASSWORD = "changeit".toCharArray();

	@TempDir
	private Path directory;

	@Test
	void aServerWithACertificateUsesTls() throws Exception {
		KeyStore store = selfSigned();
		Path certificate = pem("CERTIFICATE", store.getCertificate("redis").getEncoded());
		Path key = pem("PRIVATE KEY", store.getKey("redis", PASSWORD).getEncoded());
		try (RedisServer server = RedisServer.start("--tls-cert-file", certificate.toString(), "--tls-key-file",
				key.toString(), "--tls-auth-clients", "no");
				Jedis jedis = new Jedis(server.host(), server.port(),
						DefaultJedisClientConfig.builder()
							.ssl(true)
							.sslSocketFactory(trusting(store).getSocketFactory())
							.build())) {
			assertThat(jedis.ping()).isEqualTo("PONG");
		}
	}

	private KeyStore selfSigned() throws Exception {
		Path file = this.directory.resolve("redis.p12");
		Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
				"-genkeypair", "-alias", "redis", "-keyalg", "EC", "-dname", "CN=localhost", "-ext", "san=ip:127.0.0.1",
				"-storetype", "PKCS12", "-keystore", file.toString(), "-storepass", new String(PASSWORD))
			.inheritIO()
			.start();
		assertThat(keytool.waitFor()).isZero();
		KeyStore store = KeyStore.getInstance("PKCS12");
		try (InputStream input = Files.newInputStream(file)) {
			store.load(input, PASSWORD);
		}
		return store;
	}

	private Path pem(String type, byte[] content) throws Exception {
		return Files.writeString(this.directory.resolve(type + ".pem"), "-----BEGIN " + type + "-----\n"
				+ Base64.getMimeEncoder().encodeToString(content) + "\n-----END " + type + "-----\n");
	}

	private static SSLContext trusting(KeyStore store) throws Exception {
		KeyStore trusted = KeyStore.getInstance("PKCS12");
		trusted.load(null, null);
		trusted.setCertificateEntry("redis", store.getCertificate("redis"));
		TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
		trust.init(trusted);
		SSLContext context = SSLContext.getInstance("TLS");
		context.init(null, trust.getTrustManagers(), null);
		return context;
	}

}
