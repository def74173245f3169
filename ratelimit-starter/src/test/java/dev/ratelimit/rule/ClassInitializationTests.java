package dev.ratelimit.rule;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whichever type of a rule an application touches first: constants of one that need those
 * of another must not meet them half made.
 */
class ClassInitializationTests {

	private static final Path CLASSES = Path.of("target/classes");

	@Test
	void eachTypeCanBeTheFirst() throws Exception {
		for (String name : names()) {
			try (URLClassLoader loader = new URLClassLoader(new URL[] { CLASSES.toUri().toURL() },
					getClass().getClassLoader()) {

				@Override
				protected Class<?> loadClass(String type, boolean resolve) throws ClassNotFoundException {
					if (!type.startsWith("dev.ratelimit.")) {
						return super.loadClass(type, resolve);
					}
					synchronized (getClassLoadingLock(type)) {
						Class<?> loaded = findLoadedClass(type);
						return (loaded != null) ? loaded : findClass(type);
					}
				}
			}) {
				assertThat(Class.forName(name, true, loader).getClassLoader()).as(name).isSameAs(loader);
			}
		}
	}

	private static List<String> names() throws IOException {
		List<String> names = new ArrayList<>();
		try (DirectoryStream<Path> files = Files.newDirectoryStream(CLASSES.resolve("dev/ratelimit/rule"), "*.class")) {
			for (Path file : files) {
				String name = file.getFileName().toString();
				if (!name.startsWith("package-info")) {
					names.add("dev.ratelimit.rule." + name.substring(0, name.length() - ".class".length()));
				}
			}
		}
		assertThat(names).hasSizeGreaterThan(40);
		return names;
	}

}
