package dev.ratelimit.harm;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.springframework.boot.SpringBootVersion;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The class paths of applications, as Maven resolves them: one run for all. The starter
 * is staged in a repository of its own before that of the machine, which is not changed.
 */
final class ClassPaths {

	private static final String VERSION = "0.1.0-SNAPSHOT";

	private static final String GOAL = "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:build-classpath";

	private final Map<List<String>, String> resolved;

	private ClassPaths(Map<List<String>, String> resolved) {
		this.resolved = resolved;
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
		stage(repository, "ratelimit-parent", Path.of("../pom.xml"));
		Path jar = stage(repository, "ratelimit-starter", Path.of("pom.xml"));
		Map<List<String>, Path> modules = new HashMap<>();
		for (List<String> application : applications) {
			for (boolean limited : new boolean[] { false, true }) {
				List<String> dependencies = limited ? limited(application) : application;
				Path module = directory.resolve("app" + modules.size());
				write(module.resolve("pom.xml"), project(module.getFileName().toString(), dependencies(dependencies)));
				modules.put(dependencies, module);
			}
		}
		write(directory.resolve("pom.xml"),
				project("all",
						modules.values()
							.stream()
							.map((module) -> "<module>" + module.getFileName() + "</module>")
							.collect(Collectors.joining("\n", "<modules>\n", "\n</modules>"))));
		maven(directory, repository);
		Map<List<String>, String> resolved = new HashMap<>();
		for (Map.Entry<List<String>, Path> module : modules.entrySet()) {
			resolved.put(module.getKey(), Files.readString(module.getValue().resolve("class-path"))
				.strip()
				.replace(jar.toAbsolutePath().toString(), Path.of("target/classes").toAbsolutePath().toString()));
		}
		return new ClassPaths(resolved);
	}

	private static List<String> limited(List<String> application) {
		List<String> all = new ArrayList<>(application);
		all.add("dev.ratelimit:ratelimit-starter");
		return all;
	}

	private static Path stage(Path repository, String artifact, Path pom) throws IOException {
		Path home = Files.createDirectories(repository.resolve("dev/ratelimit/" + artifact + "/" + VERSION));
		Files.copy(pom, home.resolve(artifact + "-" + VERSION + ".pom"), StandardCopyOption.REPLACE_EXISTING);
		return Files.write(home.resolve(artifact + "-" + VERSION + ".jar"), new byte[0]);
	}

	private static String dependencies(List<String> names) {
		return names.stream().map((name) -> {
			String[] parts = name.split(":", -1);
			String version = parts[0].equals("dev.ratelimit") ? "<version>" + VERSION + "</version>" : "";
			String without = (parts.length < 3) ? "" : ("<exclusions><exclusion><groupId>" + parts[2]
					+ "</groupId><artifactId>*</artifactId></exclusion></exclusions>");
			return "<dependency><groupId>%s</groupId><artifactId>%s</artifactId>%s%s</dependency>".formatted(parts[0],
					parts[1], version, without);
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
		Process process = new ProcessBuilder(Path.of("../mvnw").toAbsolutePath().toString(), "-q", "-B", "-f",
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
	 * @param limited whether it has the starter, too
	 * @return its entries, for {@code java -cp}
	 */
	String of(List<String> application, boolean limited) {
		return this.resolved.get(limited ? limited(application) : application);
	}

	/** The names of the libraries, without their versions. */
	static List<String> libraries(String classPath) {
		return Arrays.stream(classPath.split(File.pathSeparator, -1))
			.map((entry) -> new File(entry).getName().replaceAll("-\\d.*\\.jar$", ""))
			.toList();
	}

}
