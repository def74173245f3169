package dev.ratelimit.store.redis;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.FaultProxy.Fault;
import dev.ratelimit.fixture.FaultProxy;
import dev.ratelimit.store.Answer.Fate;
import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.StoreFailure;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslStoreBundle;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * TLS with the bundle of the application. The server's certificate is for
 * {@code localhost} only.
 */
class TlsTests {

	private static final char[] PASSWORD = "changeit".toCharArray();

	@TempDir
	Path directory;

	private RedisServer server;

	private KeyStore trusted;

	@BeforeEach
	void start() throws Exception {
		Path store = this.directory.resolve("redis.p12");
		run(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair", "-alias", "redis",
				"-keyalg", "EC", "-dname", "CN=redis", "-ext", "SAN=dns:localhost", "-validity", "2", "-storetype",
				"PKCS12", "-keystore", store.toString(), "-storepass", new String(PASSWORD));
		KeyStore keys = KeyStore.getInstance("PKCS12");
		try (InputStream in = Files.newInputStream(store)) {
			keys.load(in, PASSWORD);
		}
		Certificate certificate = keys.getCertificate("redis");
		Path key = pem("redis.key", "PRIVATE KEY", keys.getKey("redis", PASSWORD).getEncoded());
		Path crt = pem("redis.crt", "CERTIFICATE", certificate.getEncoded());
		this.trusted = KeyStore.getInstance("PKCS12");
		this.trusted.load(null, null);
		this.trusted.setCertificateEntry("redis", certificate);
		this.server = RedisServer.start("--tls-cert-file", crt.toString(), "--tls-key-file", key.toString(),
				"--tls-ca-cert-file", crt.toString(), "--tls-auth-clients", "no");
	}

	@AfterEach
	void stop() {
		this.server.close();
	}

	@Test
	void theHostOfTheCertificateIsBelieved() {
		assertThat(askAt("localhost")).isInstanceOf(Answer.Admitted.class);
	}

	@Test
	void aCertificateOfAnotherHostIsNot() {
		assertThat(askAt("127.0.0.1")).isEqualTo(Asking.failed(StoreFailure.UNREACHABLE, Fate.NOT_TAKEN));
	}

	@Test
	void aRecordThatComesByteByByteCostsNoMoreThanTheDeadline() throws InterruptedException {
		try (FaultProxy proxy = FaultProxy.to(this.server.port());
				RedisStore store = SharedRedis.store(details("localhost:" + proxy.port()), SharedRedis.settings(2))) {
			Decisions decisions = new Decisions(store, Duration.ofMillis(50));
			assertThat(decisions.decide().source()).isEqualTo(Source.STORE);
			proxy.inject(Fault.DRIP, Duration.ofMillis(10));
			assertThat(decisions.make(Thread::new, 4, 10).assertInTime().withoutStore()).isEqualTo(40);
		}
	}

	@Test
	void whatItGrantsTooLateIsGivenBack() {
		Queue<Boolean> heard = new ConcurrentLinkedQueue<>();
		Limit limit = Limits.of("tls-late", "2/60s");
		try (RedisStore store = RedisStore.connect(details("localhost:" + this.server.port()), SharedRedis.settings(1),
				(rule, acknowledged) -> heard.add(acknowledged))) {
			assertThat(Asking.ask(store, limit, "a")).isInstanceOf(Answer.Admitted.class);
			this.server.pause();
			assertThat(Asking.ask(store, Asking.question(limit, "a"), Duration.ofMillis(50)))
				.isEqualTo(Asking.failed(StoreFailure.TIMEOUT, Fate.AWAITED));
			this.server.resume();
			Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> !heard.isEmpty());
			assertThat(heard).containsExactly(true);
			assertThat(Asking.ask(store, limit, "a")).isInstanceOf(Answer.Admitted.class);
		}
	}

	private TestConnectionDetails details(String address) {
		return TestConnectionDetails.standalone(address)
			.with(SslBundle.of(SslStoreBundle.of(null, null, this.trusted)));
	}

	private Answer askAt(String host) {
		try (RedisStore store = SharedRedis.store(details(host + ":" + this.server.port()), SharedRedis.settings(2))) {
			return Asking.ask(store, Limits.of("tls", "5/60s"), "a");
		}
	}

	private Path pem(String name, String type, byte[] content) throws IOException {
		String text = "-----BEGIN " + type + "-----\n"
				+ Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(content)
				+ "\n-----END " + type + "-----\n";
		return Files.writeString(this.directory.resolve(name), text);
	}

	private static void run(String... command) throws IOException, InterruptedException {
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor()).as(output).isZero();
	}

}
