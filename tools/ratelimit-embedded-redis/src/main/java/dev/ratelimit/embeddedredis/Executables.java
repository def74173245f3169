package dev.ratelimit.embeddedredis;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Finds programs of the operating system.
 */
final class Executables {

	private static final Pattern SEPARATOR = Pattern.compile(Pattern.quote(File.pathSeparator));

	private Executables() {
	}

	static boolean isExecutable(Path file) {
		return Files.isRegularFile(file) && Files.isExecutable(file);
	}

	/**
	 * Find a program on the PATH.
	 * @param name its file name
	 * @return the program, if there is one
	 */
	static Optional<Path> onPath(String name) {
		String path = System.getenv("PATH");
		if (path == null) {
			return Optional.empty();
		}
		return SEPARATOR.splitAsStream(path)
			.filter((directory) -> !directory.isEmpty())
			.map((directory) -> Path.of(directory, name))
			.filter(Executables::isExecutable)
			.findFirst();
	}

}
