package dev.ratelimit.harm;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.PromiseLine;
import dev.ratelimit.harm.ClassPaths.Arrangement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Adding the starter does not change an application, on the class paths that Maven
 * resolves, each in a JVM of its own: beans, converters, health, threads and connections
 * at rest are the same as without it.
 */
@Tag("proof-harm")
class HarmProof {

	private static final String BOOT = "org.springframework.boot:spring-boot-";

	private static final String WEB = BOOT + "starter-webmvc";

	private static final Map<String, List<String>> CLIENTS = new TreeMap<>(
			Map.of("no Redis", List.of(), "Lettuce", List.of(BOOT + "starter-data-redis"), "Jedis",
					List.of(BOOT + "starter-data-redis:io.lettuce", "redis.clients:jedis"), "a pool",
					List.of("org.apache.commons:commons-pool2")));

	private static final Map<String, List<String>> FEATURES = new TreeMap<>(
			Map.of("nothing else", List.of(), "cache", List.of(BOOT + "starter-cache"), "session",
					List.of(BOOT + "starter-session-jdbc", "com.h2database:h2"), "JPA and Spring Data JDBC",
					List.of(BOOT + "starter-data-jpa", BOOT + "starter-data-jdbc", "com.h2database:h2"), "actuator",
					List.of(BOOT + "starter-actuator"), "service connections",
					List.of(BOOT + "docker-compose", BOOT + "testcontainers")));

	private static final Map<String, List<String>> LIMITERS = new TreeMap<>(Map.of("no rule", List.of(),
			"counted in Redis", List.of(), "counted in memory", List.of("--ratelimit.store=memory")));

	private static final List<String> OF_JEDIS = List.of("commons-pool2", "gson", "error_prone_annotations", "json");

	private static final List<String> RULE = List.of("--ratelimit.rules.all.paths=/**",
			"--ratelimit.rules.all.thresholds=100000/1m");

	@RegisterExtension
	static final PromiseLine PROMISE = new PromiseLine("applications that are the same with and without the starter");

	@TempDir
	static Path directory;

	private static ClassPaths paths;

	private static RedisServer redis;

	@BeforeAll
	static void resolve() throws Exception {
		paths = ClassPaths.resolve(directory,
				applications().map((row) -> application((String) row.get()[0], (String) row.get()[1])).toList());
		redis = RedisServer.start();
	}

	@AfterAll
	static void stop() {
		redis.close();
	}

	static Stream<Arguments> applications() {
		return CLIENTS.keySet()
			.stream()
			.flatMap((client) -> FEATURES.keySet().stream().map((feature) -> Arguments.of(client, feature)));
	}

	@ParameterizedTest
	@MethodSource("applications")
	void anApplicationIsTheSameWithAndWithoutTheStarter(String client, String feature) throws Exception {
		List<String> application = application(client, feature);
		List<String> arguments = arguments(feature);
		Facts without = Facts.of(directory, paths.of(application, Arrangement.ABSENT), redis, arguments);
		assertThat(without.facts()).hasSizeGreaterThan(50);
		for (String limiter : LIMITERS.keySet()) {
			Facts with = Facts.of(directory, paths.of(application, Arrangement.LAST), redis,
					limited(arguments, limiter));
			assertThat(with.ofTheApplication()).as(limiter).containsExactlyElementsOf(without.ofTheApplication());
			if (limiter.equals("no rule")) {
				assertThat(with.ofTheLimiter()).hasSizeLessThan(25).allMatch((fact) -> fact.startsWith("ours, made"));
			}
		}
	}

	/**
	 * Maven takes the nearest of a library, and of equally near ones the first. The
	 * starter has a library that applications have, too, without what it brings: Jedis.
	 */
	@ParameterizedTest
	@MethodSource("applications")
	void anApplicationKeepsItsLibrariesWhereverTheStarterStands(String client, String feature) {
		List<String> application = application(client, feature);
		List<String> without = ClassPaths.libraries(paths.of(application, Arrangement.ABSENT));
		for (Arrangement arrangement : Arrangement.values()) {
			List<String> lost = new ArrayList<>(without);
			lost.removeAll(ClassPaths.libraries(paths.of(application, arrangement)));
			boolean isJedisNearer = client.equals("Jedis") && arrangement == Arrangement.NEARER;
			assertThat(lost).as(arrangement.name())
				.containsExactlyInAnyOrderElementsOf(isJedisNearer ? OF_JEDIS : List.of());
		}
	}

	/** A module that no rule needs adds neither a thread nor a connection, either. */
	@ParameterizedTest
	@EnumSource(names = { "QUEUE", "DATACENTERS", "MEMCACHED" })
	void anApplicationIsTheSameWithAndWithoutAModule(Arrangement module) throws Exception {
		List<String> application = application("no Redis", "actuator");
		for (String limiter : List.of("no rule", "counted in Redis")) {
			List<String> arguments = arguments("actuator");
			List<String> limited = limited(arguments, limiter);
			Facts without = Facts.of(directory, paths.of(application, Arrangement.ABSENT), redis, arguments);
			Facts bare = Facts.of(directory, paths.of(application, Arrangement.LAST), redis, limited);
			Facts with = Facts.of(directory, paths.of(application, module), redis, limited);
			assertThat(with.ofTheApplication()).as(limiter).containsExactlyElementsOf(without.ofTheApplication());
			assertThat(with.atWork()).as(limiter).containsExactlyElementsOf(bare.atWork());
		}
	}

	private static List<String> application(String client, String feature) {
		List<String> dependencies = new ArrayList<>(List.of(WEB));
		dependencies.addAll(CLIENTS.get(client));
		dependencies.addAll(FEATURES.get(feature));
		return dependencies;
	}

	/** Health is read while Redis is unavailable. */
	private static List<String> arguments(String feature) {
		List<String> arguments = new ArrayList<>();
		arguments.add("--spring.data.redis.port=" + (feature.equals("actuator") ? 1 : redis.port()));
		if (feature.equals("cache")) {
			arguments.add("--caching");
		}
		return arguments;
	}

	private static List<String> limited(List<String> arguments, String limiter) {
		List<String> all = new ArrayList<>(arguments);
		all.addAll(LIMITERS.get(limiter));
		if (!limiter.equals("no rule")) {
			all.addAll(RULE);
		}
		return all;
	}

}
