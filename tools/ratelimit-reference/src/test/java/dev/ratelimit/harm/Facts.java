package dev.ratelimit.harm;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.embeddedredis.RedisServer;
import redis.clients.jedis.Jedis;

/**
 * The state of an application at rest, in a JVM of its own.
 *
 * @param facts what it prints of itself, its connections to Redis and its health
 */
record Facts(List<String> facts) {

	/**
	 * Start the innocent application, look at it, and end it.
	 * @param directory where its class is put, apart from those of the tests
	 * @param classPath its libraries
	 * @param redis the Redis of its settings
	 * @param arguments what it is started with
	 * @return its state
	 */
	static Facts of(Path directory, String classPath, RedisServer redis, List<String> arguments) throws Exception {
		List<String> command = new ArrayList<>(List.of(
				Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
				"-XX:+UseSerialGC", "-Xshare:auto", "-cp", application(directory) + File.pathSeparator + classPath,
				InnocentApp.class.getName(), "--server.port=0", "--spring.main.banner-mode=off",
				"--logging.level.root=error", "--spring.docker.compose.enabled=false"));
		command.addAll(arguments);
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		try (BufferedReader output = new BufferedReader(
				new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
			return new Facts(facts(output, redis));
		}
		finally {
			process.destroyForcibly();
			int ignored = process.waitFor();
		}
	}

	private static List<String> facts(BufferedReader output, RedisServer redis) throws Exception {
		List<String> facts = new ArrayList<>();
		StringBuilder log = new StringBuilder();
		for (String line = output.readLine(); line != null; line = output.readLine()) {
			log.append(line).append('\n');
			if (line.equals(InnocentApp.FACT + InnocentApp.END)) {
				facts.addAll(connections(redis));
				return facts;
			}
			if (line.startsWith(InnocentApp.FACT + "port ")) {
				facts.add(health(line.substring(line.lastIndexOf(' ') + 1)));
			}
			else if (line.startsWith(InnocentApp.FACT)) {
				facts.add(line.substring(InnocentApp.FACT.length()));
			}
		}
		throw new IllegalStateException("The application ended:\n" + log);
	}

	private static String health(String port) throws Exception {
		var response = HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/actuator/health")).build(),
					BodyHandlers.ofString());
		return "health " + response.statusCode();
	}

	/** All but the connection that requests the list. */
	private static List<String> connections(RedisServer redis) {
		try (Jedis jedis = new Jedis(redis.host(), redis.port())) {
			return jedis.clientList()
				.lines()
				.filter((line) -> !line.contains("cmd=client"))
				.map((line) -> "connection " + line.replaceAll(".*\\bname=(\\S*).*", "$1"))
				.distinct()
				.toList();
		}
	}

	private static Path application(Path directory) throws IOException {
		String place = InnocentApp.class.getPackageName().replace('.', '/');
		Path home = Files.createDirectories(directory.resolve("classes").resolve(place));
		try (Stream<Path> classes = Files.list(Path.of("target/test-classes", place))) {
			for (Path file : classes.filter((each) -> each.getFileName().toString().startsWith("InnocentApp"))
				.toList()) {
				Files.copy(file, home.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
			}
		}
		return directory.resolve("classes");
	}

	/** All facts but those of the limiter. */
	List<String> ofTheApplication() {
		return this.facts.stream().filter((fact) -> !fact.startsWith("ours") && !fact.contains(" ratelimit")).toList();
	}

	/** The beans that the limiter has created, and its threads and connections. */
	List<String> ofTheLimiter() {
		return this.facts.stream()
			.filter((fact) -> fact.startsWith("ours, made") || fact.contains(" ratelimit"))
			.toList();
	}

	/** The threads and connections of the limiter. */
	List<String> atWork() {
		return ofTheLimiter().stream().filter((fact) -> !fact.startsWith("ours, made")).toList();
	}

}
