package dev.ratelimit.store.redis;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.store.Answer.Fate;
import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.StoreFailure;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslStoreBundle;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * TLS with the bundle of the application. The server's certificates are for
 * {@code localhost} only.
 */
class TlsTests {

	private static final String PASSWORD = "changeit";

	@TempDir
	static Path directory;

	private static KeyStore keys;

	@BeforeAll
	static void issueCertificates() throws Exception {
		Path store = directory.resolve("redis.p12");
		issue(store, "authority", "-ext", "bc:c");
		issue(store, "valid", "-signer", "authority");
		issue(store, "expired", "-signer", "authority", "-startdate", "-9d");
		keys = KeyStore.getInstance("PKCS12");
		try (InputStream in = Files.newInputStream(store)) {
			keys.load(in, PASSWORD.toCharArray());
		}
	}

	private static void issue(Path store, String alias, String... more) throws Exception {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair", "-alias",
						alias, "-keyalg", "EC", "-dname", "CN=" + alias, "-ext", "SAN=dns:localhost", "-validity", "2",
						"-storetype", "PKCS12", "-keystore", store.toString(), "-storepass", PASSWORD));
		command.addAll(List.of(more));
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor()).as(output).isZero();
	}

	@Test
	void theHostOfTheCertificateIsBelieved() throws Exception {
		assertThat(ask("localhost", "valid", "authority")).isInstanceOf(Answer.Admitted.class);
	}

	@Test
	void aCertificateOfAnotherHostIsNot() throws Exception {
		assertThat(ask("127.0.0.1", "valid", "authority")).isEqualTo(notPermitted());
	}

	@Test
	void aCertificateThatHasExpiredIsNot() throws Exception {
		assertThat(ask("localhost", "expired", "authority")).isEqualTo(notPermitted());
	}

	@Test
	void aCertificateOfAStrangerIsNot() throws Exception {
		assertThat(ask("localhost", "valid", "expired")).isEqualTo(notPermitted());
	}

	private static Answer notPermitted() {
		return Asking.failed(StoreFailure.NOT_PERMITTED, Fate.NOT_TAKEN);
	}

	private static Answer ask(String host, String shown, String trusted) throws Exception {
		String certificate = pem("CERTIFICATE", keys.getCertificate(shown).getEncoded());
		String key = pem("PRIVATE KEY", keys.getKey(shown, PASSWORD.toCharArray()).getEncoded());
		KeyStore trust = KeyStore.getInstance("PKCS12");
		trust.load(null, null);
		trust.setCertificateEntry(trusted, keys.getCertificate(trusted));
		try (RedisServer server = RedisServer.start("--tls-cert-file", certificate, "--tls-key-file", key,
				"--tls-ca-cert-file", certificate, "--tls-auth-clients", "no")) {
			TestConnectionDetails details = TestConnectionDetails.standalone(host + ":" + server.port())
				.with(SslBundle.of(SslStoreBundle.of(null, null, trust)));
			try (RedisStore store = SharedRedis.store(details, SharedRedis.settings(2))) {
				return Asking.ask(store, Limits.of("tls", "5/60s"), "a");
			}
		}
	}

	private static String pem(String type, byte[] content) throws IOException {
		String text = "-----BEGIN " + type + "-----\n"
				+ Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(content)
				+ "\n-----END " + type + "-----\n";
		return Files.writeString(Files.createTempFile(directory, "tls", ".pem"), text).toString();
	}

}
