package dev.ratelimit.benchmarks;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

import org.jacoco.agent.rt.IAgent;
import org.jacoco.agent.rt.RT;
import org.jacoco.core.data.ExecutionDataReader;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * The types that a newcomer meets on the way of one request: those of the starter with a
 * name, nested ones by themselves, whose code runs between the request and its response.
 * The request is strict, counts by a path variable in a log, and its client was there
 * before. What threads beside the request run is left out: only what each of five
 * requests runs counts.
 */
final class RequestTypes {

	private static final int REQUESTS = 5;

	private RequestTypes() {
	}

	/**
	 * Count the types.
	 * @param redis where requests are counted
	 * @return the number of types by package, and their names
	 */
	static String table(Redis redis) throws IOException, InterruptedException {
		String classPath = System.getProperty("java.class.path");
		String agent = Arrays.stream(classPath.split(File.pathSeparator))
			.filter((jar) -> jar.contains("org.jacoco.agent"))
			.findFirst()
			.orElseThrow();
		List<String> command = new ArrayList<>(List
			.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-javaagent:" + agent
					+ "=output=none,includes=dev.ratelimit.*,excludes=dev.ratelimit.benchmarks.*:dev.ratelimit.embeddedredis.*",
					"-cp", classPath, Application.class.getName()));
		command.addAll(redis.properties());
		Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		if (process.waitFor() != 0) {
			throw new IllegalStateException("The application did not start: " + output);
		}
		List<String> names = output.lines().filter((line) -> line.startsWith("dev.ratelimit.")).toList();
		StringBuilder table = new StringBuilder(
				"### Types on the way of one strict request\n\n| package | types | |\n|---|---:|---|\n");
		names.stream()
			.collect(Collectors.groupingBy((name) -> name.substring(0, name.lastIndexOf('.')), TreeMap::new,
					Collectors.mapping((name) -> name.substring(name.lastIndexOf('.') + 1), Collectors.toList())))
			.forEach((room, types) -> table
				.append("| `%s` | %d | %s |%n".formatted(room, types.size(), String.join(", ", types))));
		return table.append("| all | %d | |%n%n".formatted(names.size())).toString();
	}

	/** Prints the names of the types, and exits. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@RestController
	static class Application {

		@GetMapping("/v1/organizations/{orgId}/product")
		String product(@PathVariable String orgId) {
			return orgId;
		}

		/**
		 * Start the application and send it requests.
		 * @param args the properties that locate Redis
		 */
		public static void main(String... args) throws IOException, InterruptedException {
			List<String> settings = new ArrayList<>(List.of(args));
			settings.addAll(List.of("--ratelimit.rules.product.paths=/v1/organizations/{orgId}/product",
					"--ratelimit.rules.product.key=path:orgId", "--ratelimit.rules.product.thresholds=100000/1m",
					"--server.port=0", "--logging.level.root=error", "--spring.main.banner-mode=off",
					"--spring.autoconfigure.exclude=" + String.join(",", StartedApplication.excluded(true))));
			try (ConfigurableApplicationContext context = SpringApplication.run(Application.class,
					settings.toArray(String[]::new))) {
				int port = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
				for (int i = 0; i < 20; i++) {
					get(port);
				}
				IAgent agent = RT.getAgent();
				Set<String> types = new TreeSet<>();
				for (int i = 0; i < REQUESTS; i++) {
					Thread.sleep(50);
					agent.reset();
					get(port);
					Thread.sleep(20);
					Set<String> run = run(agent.getExecutionData(false));
					if (i == 0) {
						types.addAll(run);
					}
					types.retainAll(run);
				}
				types.forEach(System.out::println);
			}
			System.exit(0);
		}

		private static void get(int port) throws IOException {
			HttpURLConnection connection = (HttpURLConnection) URI
				.create("http://localhost:" + port + "/v1/organizations/7/product")
				.toURL()
				.openConnection();
			if (connection.getResponseCode() != 200) {
				throw new IllegalStateException("Status " + connection.getResponseCode());
			}
			connection.getInputStream().readAllBytes();
		}

		private static Set<String> run(byte[] data) throws IOException {
			Set<String> types = new TreeSet<>();
			ExecutionDataReader reader = new ExecutionDataReader(new ByteArrayInputStream(data));
			reader.setSessionInfoVisitor((session) -> {
			});
			reader.setExecutionDataVisitor((type) -> {
				String name = type.getName().replace('/', '.');
				if (type.hasHits() && !name.matches(".*\\$\\d.*")) {
					types.add(name);
				}
			});
			reader.read();
			return types;
		}

	}

}
