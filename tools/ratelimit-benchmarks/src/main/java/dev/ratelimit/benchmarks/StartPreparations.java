package dev.ratelimit.benchmarks;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import javax.tools.ToolProvider;

import org.springframework.boot.SpringApplicationAotProcessor;
import org.springframework.util.FileSystemUtils;

/**
 * Prepares starts of the {@link StartedApplication}: what Spring processes ahead of time,
 * and the archives of classes that a first start leaves for the next ones. Directories of
 * the class path become jars, because archives know classes of jars only.
 */
final class StartPreparations implements AutoCloseable {

	/** The first JDK that makes an AOT cache with one start. */
	private static final int JDK_OF_AOT_CACHE = 25;

	/** The JVM that assembles a cache prints its whole command. */
	private static final ProcessBuilder.Redirect TALKATIVE = ProcessBuilder.Redirect.DISCARD;

	private final Path directory;

	private final String classPath;

	private int archives;

	private StartPreparations(Path directory, String classPath) {
		this.directory = directory;
		this.classPath = classPath;
	}

	static StartPreparations create() throws IOException {
		Path directory = Files.createTempDirectory("ratelimit-start");
		List<String> classPath = new ArrayList<>();
		for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
			Path path = Path.of(entry);
			if (Files.isDirectory(path)) {
				classPath.add(jar(path, directory.resolve("classes-" + classPath.size() + ".jar")));
			}
			else if (Files.exists(path)) {
				classPath.add(entry);
			}
		}
		return new StartPreparations(directory, String.join(File.pathSeparator, classPath));
	}

	private static String jar(Path source, Path jar) throws IOException {
		try (OutputStream file = Files.newOutputStream(jar);
				JarOutputStream entries = new JarOutputStream(file);
				Stream<Path> paths = Files.walk(source)) {
			for (Path path : paths.filter(Files::isRegularFile).sorted().toList()) {
				entries.putNextEntry(new ZipEntry(source.relativize(path).toString().replace(File.separatorChar, '/')));
				Files.copy(path, entries);
			}
		}
		return jar.toString();
	}

	/** The archives that this JDK knows. */
	List<Archive> archives() {
		return Stream.of(Archive.values())
			.filter((archive) -> archive != Archive.AOT_CACHE || Runtime.version().feature() >= JDK_OF_AOT_CACHE)
			.toList();
	}

	/**
	 * Prepare an application.
	 * @param arguments its arguments
	 * @param archive what a first start leaves for the next ones
	 * @param springAot whether Spring processes it ahead of time
	 * @return the command that starts it
	 */
	List<String> command(List<String> arguments, Archive archive, boolean springAot)
			throws IOException, InterruptedException {
		Path file = this.directory.resolve("archive-" + this.archives++);
		String path = springAot ? processed(arguments, file) + File.pathSeparator + this.classPath : this.classPath;
		List<String> spring = springAot ? List.of("-Dspring.aot.enabled=true") : List.of();
		if (!archive.training.isEmpty()) {
			run(command(path, StartedApplication.class, List.of(archive.training + file), spring, arguments),
					TALKATIVE);
		}
		return command(path, StartedApplication.class, archive.use.isEmpty() ? List.of() : List.of(archive.use + file),
				spring, arguments);
	}

	private static List<String> command(String classPath, Class<?> main, List<String> archive, List<String> spring,
			List<String> arguments) {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xlog:disable"));
		command.addAll(archive);
		command.addAll(spring);
		command.addAll(List.of("-cp", classPath, main.getName()));
		command.addAll(arguments);
		return command;
	}

	/** A jar of what Spring generates, compiled. */
	private String processed(List<String> arguments, Path name) throws IOException, InterruptedException {
		Path sources = Files.createDirectory(Path.of(name + "-sources"));
		Path classes = Files.createDirectory(Path.of(name + "-classes"));
		List<String> processing = new ArrayList<>(List.of(StartedApplication.class.getName(), sources.toString(),
				classes.toString(), classes.toString(), "dev.ratelimit", "start"));
		processing.addAll(arguments);
		run(command(this.classPath, SpringApplicationAotProcessor.class, List.of(), List.of(), processing), TALKATIVE);
		List<String> compiling = new ArrayList<>(Arrays.asList("-nowarn", "-proc:none", "-parameters", "-cp",
				this.classPath + File.pathSeparator + classes, "-d", classes.toString()));
		try (Stream<Path> generated = Files.walk(sources)) {
			compiling.addAll(generated.map(Path::toString).filter((path) -> path.endsWith(".java")).toList());
		}
		int result = ToolProvider.getSystemJavaCompiler()
			.run(null, OutputStream.nullOutputStream(), null, compiling.toArray(String[]::new));
		if (result != 0) {
			throw new IllegalStateException("What Spring has generated does not compile");
		}
		return jar(classes, Path.of(name + "-aot.jar"));
	}

	/**
	 * Start a prepared application.
	 * @param command the command
	 * @return its processor time in seconds
	 */
	double start(List<String> command) throws IOException, InterruptedException {
		return Double.parseDouble(run(command, ProcessBuilder.Redirect.INHERIT).strip()) / 1e9;
	}

	private static String run(List<String> command, ProcessBuilder.Redirect errors)
			throws IOException, InterruptedException {
		Process process = new ProcessBuilder(command).redirectError(errors).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		if (process.waitFor() != 0) {
			throw new IllegalStateException(
					command.stream().skip(1).collect(Collectors.joining(" ")) + " failed: " + output);
		}
		return output;
	}

	@Override
	public void close() {
		try {
			FileSystemUtils.deleteRecursively(this.directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** What a first start leaves for the next ones. */
	enum Archive {

		NONE("none", "", ""),

		CDS("AppCDS", "-XX:ArchiveClassesAtExit=", "-XX:SharedArchiveFile="),

		AOT_CACHE("AOT cache", "-XX:AOTCacheOutput=", "-XX:AOTCache=");

		final String title;

		private final String training;

		private final String use;

		Archive(String title, String training, String use) {
			this.title = title;
			this.training = training;
			this.use = use;
		}

	}

}
