package dev.ratelimit.harm;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.boot.SpringBootVersion;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The class paths of applications, as Maven resolves them: one run for all. The starter
 * and its modules are staged in a repository of their own before that of the machine,
 * which is not changed.
 */
final class ClassPaths {

	private static final String STARTER = "dev.ratelimit:ratelimit-starter";

	private static final String POM = "target/flattened-pom.xml";

	private static final String GOAL = "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:build-classpath";

	/** Where the starter stands among the dependencies of an application. */
	enum Arrangement {

		ABSENT, LAST, FIRST,

		/** First, and the application gets its libraries through another one. */
		NEARER,

		/** Last, with a module. */
		QUEUE, DATACENTERS, MEMCACHED;

		/** The artifacts that are added, of which a module brings the starter. */
		private String added() {
			return switch (this) {
				case QUEUE, DATACENTERS, MEMCACHED -> STARTER + "-" + name().toLowerCase(Locale.ROOT);
				default -> STARTER;
			};
		}

		private List<String> dependencies(List<String> application, String company) {
			return switch (this) {
				case ABSENT -> application;
				case LAST, QUEUE, DATACENTERS, MEMCACHED ->
					Stream.concat(application.stream(), Stream.of(added())).toList();
				case FIRST -> Stream.concat(Stream.of(STARTER), application.stream()).toList();
				case NEARER -> List.of(STARTER, company);
			};
		}

	}

	private final Map<Arrangement, Map<List<String>, String>> resolved = new EnumMap<>(Arrangement.class);

	private ClassPaths() {
	}

	/**
	 * Resolve the class paths of applications, each with the starter and without it.
	 * @param directory where the applications are described
	 * @param applications the dependencies of each: {@code group:artifact}, and behind
	 * another colon a group that is excluded
	 * @return the class paths
	 */
	static ClassPaths resolve(Path directory, List<List<String>> applications) throws Exception {
		Path repository = Path.of("target", "harm-repository");
		String version = Files.readString(Path.of("../..", "ratelimit-starter", POM))
			.replaceAll("(?s).*?<artifactId>ratelimit-starter</artifactId>\\s*<version>(.+?)</version>.*", "$1");
		Map<String, String> jars = stage(repository, version);
		Map<String, Path> modules = new LinkedHashMap<>();
		for (int i = 0; i < applications.size(); i++) {
			List<String> application = applications.get(i);
			module(directory, modules, "libraries" + i, version, application);
			module(directory, modules, "company" + i, version, List.of("innocent:libraries" + i));
			for (Arrangement arrangement : Arrangement.values()) {
				module(directory, modules, arrangement.name() + i, version,
						arrangement.dependencies(application, "innocent:company" + i));
			}
		}
		write(directory.resolve("pom.xml"),
				project("all",
						modules.keySet()
							.stream()
							.map((module) -> "<module>" + module + "</module>")
							.collect(Collectors.joining("\n", "<modules>\n", "\n</modules>"))));
		maven(directory, repository);
		ClassPaths paths = new ClassPaths();
		for (Arrangement arrangement : Arrangement.values()) {
			Map<List<String>, String> resolved = new HashMap<>();
			for (int i = 0; i < applications.size(); i++) {
				String classPath = Files.readString(modules.get(arrangement.name() + i).resolve("class-path")).strip();
				for (Map.Entry<String, String> jar : jars.entrySet()) {
					classPath = classPath.replace(jar.getKey(), jar.getValue());
				}
				resolved.put(applications.get(i), classPath);
			}
			paths.resolved.put(arrangement, resolved);
		}
		return paths;
	}

	private static void module(Path directory, Map<String, Path> modules, String name, String version,
			List<String> dependencies) throws IOException {
		Path module = directory.resolve(name);
		write(module.resolve("pom.xml"), project(name, dependencies(dependencies, version)));
		modules.put(name, module);
	}

	private static String dependencies(List<String> names, String version) {
		return names.stream().map((name) -> {
			String[] parts = name.split(":", -1);
			String versioned = switch (parts[0]) {
				case "dev.ratelimit" -> "<version>" + version + "</version>";
				case "innocent" -> "<version>1</version><type>pom</type>";
				default -> "";
			};
			String without = (parts.length < 3) ? "" : ("<exclusions><exclusion><groupId>" + parts[2]
					+ "</groupId><artifactId>*</artifactId></exclusion></exclusions>");
			return "<dependency><groupId>%s</groupId><artifactId>%s</artifactId>%s%s</dependency>".formatted(parts[0],
					parts[1], versioned, without);
		}).collect(Collectors.joining("\n", "<dependencies>\n", "\n</dependencies>"));
	}

	private static String project(String name, String content) {
		return """
				<project xmlns="http://maven.apache.org/POM/4.0.0">
				<modelVersion>4.0.0</modelVersion>
				<groupId>innocent</groupId>
				<artifactId>%s</artifactId>
				<version>1</version>
				<packaging>pom</packaging>
				<dependencyManagement><dependencies><dependency>
				<groupId>org.springframework.boot</groupId>
				<artifactId>spring-boot-dependencies</artifactId>
				<version>%s</version>
				<type>pom</type>
				<scope>import</scope>
				</dependency></dependencies></dependencyManagement>
				%s
				</project>
				""".formatted(name, SpringBootVersion.getVersion(), content);
	}

	private static void write(Path file, String text) throws IOException {
		Files.createDirectories(file.getParent());
		Files.writeString(file, text);
	}

	private static void maven(Path directory, Path repository) throws Exception {
		String known = System.getProperty("localRepository",
				Path.of(System.getProperty("user.home"), ".m2", "repository").toString());
		Process process = new ProcessBuilder(Path.of("../../mvnw").toAbsolutePath().toString(), "-q", "-B", "-f",
				directory.resolve("pom.xml").toString(), "-Dmaven.repo.local=" + repository.toAbsolutePath(),
				"-Dmaven.repo.local.tail=" + known, "-Dmaven.repo.local.tail.ignoreAvailability=true", GOAL,
				"-Dmdep.includeScope=runtime", "-Dmdep.outputFile=class-path")
			.redirectErrorStream(true)
			.start();
		process.getOutputStream().close();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor()).as(output).isZero();
	}

	/**
	 * A class path.
	 * @param application the dependencies of the application
	 * @param arrangement where the starter stands among them
	 * @return its entries, for {@code java -cp}
	 */
	String of(List<String> application, Arrangement arrangement) {
		return this.resolved.get(arrangement).get(application);
	}

	/** The names of the libraries, without their versions. */
	static List<String> libraries(String classPath) {
		return Arrays.stream(classPath.split(File.pathSeparator, -1))
			.map((entry) -> new File(entry).getName().replaceAll("-\\d.*\\.jar$", ""))
			.toList();
	}

	/**
	 * Stage what users get, with the POMs that are published.
	 * @return where the classes of each jar are
	 */
	private static Map<String, String> stage(Path repository, String version) throws IOException {
		Map<String, String> jars = new HashMap<>();
		for (String artifact : List.of("ratelimit-starter", "ratelimit-starter-queue", "ratelimit-starter-datacenters",
				"ratelimit-starter-memcached")) {
			Path home = Files.createDirectories(repository.resolve("dev/ratelimit").resolve(artifact).resolve(version));
			String name = artifact + "-" + version;
			Files.copy(Path.of("../..", artifact, POM), home.resolve(name + ".pom"),
					StandardCopyOption.REPLACE_EXISTING);
			jars.put(Files.write(home.resolve(name + ".jar"), new byte[0]).toAbsolutePath().toString(),
					Path.of("../..", artifact, "target/classes").toAbsolutePath().normalize().toString());
		}
		return jars;
	}

}
