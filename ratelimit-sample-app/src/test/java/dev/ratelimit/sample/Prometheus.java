package dev.ratelimit.sample;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A real Prometheus that scrapes one application every second. The programs are those of
 * the system property {@code prometheus.home}, else those on the PATH, else those of
 * Debian's package, which is fetched once and unpacked beside the classes of the build.
 */
final class Prometheus implements AutoCloseable {

	private static final Path HOME = home();

	private final HttpClient client = HttpClient.newHttpClient();

	private final Process process;

	private final String url;

	private Prometheus(Process process, int port) {
		this.process = process;
		this.url = "http://127.0.0.1:" + port;
	}

	private static Path home() {
		String given = System.getProperty("prometheus.home");
		if (given != null) {
			return Path.of(given);
		}
		Optional<Path> installed = Stream.of(System.getenv("PATH").split(File.pathSeparator))
			.map(Path::of)
			.filter((directory) -> Stream.of("prometheus", "promtool")
				.allMatch((program) -> Files.isExecutable(directory.resolve(program))))
			.findFirst();
		if (installed.isPresent()) {
			return installed.get();
		}
		Path unpacked = Path.of("target", "prometheus").toAbsolutePath();
		Path home = unpacked.resolve("usr/bin");
		if (!Files.exists(home)) {
			try {
				Files.createDirectories(unpacked);
				run(unpacked, "apt-get", "download", "prometheus");
				try (Stream<Path> packages = Files.list(unpacked)) {
					run(unpacked, "dpkg-deb", "-x", packages.findFirst().orElseThrow().toString(), ".");
				}
			}
			catch (IOException ex) {
				throw new IllegalStateException(
						"There is no Prometheus. Where Debian's package cannot be fetched, "
								+ "name the directory of prometheus and promtool: -Dprometheus.home=/opt/prometheus",
						ex);
			}
		}
		return home;
	}

	/**
	 * Start it, and wait until it is ready.
	 * @param application the port that it scrapes
	 * @param rules its alerts
	 * @param directory for its data
	 * @return the running server
	 */
	static Prometheus start(int application, Path rules, Path directory) throws Exception {
		Path config = Files.writeString(directory.resolve("prometheus.yml"), """
				global: {scrape_interval: 1s, evaluation_interval: 1s}
				rule_files: ['%s']
				scrape_configs:
				  - job_name: sample
				    metrics_path: /actuator/prometheus
				    static_configs: [{targets: ['127.0.0.1:%d']}]
				""".formatted(rules.toRealPath(), application));
		int port = freePort();
		Process process = new ProcessBuilder(HOME.resolve("prometheus").toString(), "--config.file=" + config,
				"--storage.tsdb.path=" + directory.resolve("data"), "--web.listen-address=127.0.0.1:" + port)
			.redirectErrorStream(true)
			.redirectOutput(directory.resolve("log").toFile())
			.start();
		return new Prometheus(process, port);
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	/** The output of promtool; fails if it finds an error. */
	static String promtool(Path directory, String... arguments) throws IOException {
		return run(directory, Stream.concat(Stream.of(HOME.resolve("promtool").toString()), Stream.of(arguments))
			.toArray(String[]::new));
	}

	private static String run(Path directory, String... command) throws IOException {
		Process process = new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		if (process.onExit().join().exitValue() != 0) {
			throw new IOException(List.of(command) + " failed:\n" + output);
		}
		return output;
	}

	/** The result of a query; throws an exception if the query is not valid. */
	JsonNode query(String query) {
		return data("/api/v1/query?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8)).get("result");
	}

	/** The alerts, as they are evaluated. */
	JsonNode rules() {
		return data("/api/v1/rules").at("/groups/0/rules");
	}

	private JsonNode data(String path) {
		JsonNode response = JsonMapper.shared().readTree(get(path).body());
		if (!response.path("status").asString("").equals("success")) {
			throw new IllegalArgumentException(path + ": " + response);
		}
		return response.get("data");
	}

	boolean isReady() {
		try {
			return get("/-/ready").statusCode() == 200;
		}
		catch (UncheckedIOException ex) {
			return false;
		}
	}

	private HttpResponse<String> get(String path) {
		try {
			return this.client.send(HttpRequest.newBuilder(URI.create(this.url + path)).build(),
					BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		this.process.destroy();
		this.process.onExit().join();
	}

}
